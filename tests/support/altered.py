"""Rigs with their bodies in another order, or mirrored."""

SIDES = [('left', 'right'), ('Left', 'Right')]


def exchanged(text):
    for a, b in SIDES:
        text = text.replace(a, '\0').replace(b, a).replace('\0', b)
    return text


def shuffled(rig, rng):
    order = list(range(len(rig['bodies'])))
    rng.shuffle(order)
    new = {body: place for place, body in enumerate(order)}
    rig['bodies'] = [rig['bodies'][i] for i in order]
    for joint in rig['joints']:
        joint['child'], joint['parent'] = new[joint['child']], new.get(joint['parent'], -1)
    rng.shuffle(rig['joints'])
    return rig


def mirrored(rig):
    """Reflected in x = 0, with left and right exchanged in names."""
    for part in rig['bodies'] + rig['joints']:
        part['position'][0] *= -1
        w, x, y, z = part['orientation']
        part['orientation'] = [w, x, -y, -z]
        part['name'] = exchanged(part['name'])
    for body in rig['bodies']:
        body['com'][0] *= -1
        for i in range(3):
            for k in range(3):
                body['inertia'][i][k] *= -1 if (i == 0) != (k == 0) else 1
    return rig
