// The action of a limb's joint on twists and wrenches, in the types of articulated_algebra.h. Included after it.

// S' f
INLINE void OF(project)(const struct LIMBS() * s, const limb *l, OF(pair) f, VALUE *force)
{
    if (l->shape == ONE_TURN) {
        force[0] = OF(dot)(l->axis, f.a);
    } else if (l->shape == THREE_TURNS) {
        OF(vector) t = OF(times_transposed)(&l->P, f.a);
        force[0] = t.x, force[1] = t.y, force[2] = t.z;
    } else {
        for (int c = 0; c < l->freedom; ++c)
            force[c] = OF(dot2)(s->column[l->column + c].S, f);
    }
}

// A wrench as a joint hands it on: with the force left over, in L^-1, kept in `left`.   @param force  NULL: 0
INLINE OF(pair) OF(hand_on)(const struct LIMBS() * s, const limb *l, const VALUE *force, OF(pair) f, VALUE *left)
{
    if (l->shape == ONE_TURN) {
        VALUE own = OF(dot)(l->axis, f.a);
        left[0] = force != NULL ? force[0] - own : -own;
        return OF(madd2)(f, left[0] * l->inverse_D, l->Y);
    }
    if (l->shape == THREE_TURNS) {
        OF(vector) t = {-f.a.x, -f.a.y, -f.a.z};
        if (force != NULL) t = OF(sub)(OF(times)(&l->P, (OF(vector)){force[0], force[1], force[2]}), f.a);
        OF(vector) g = OF(times_symmetric)(&l->G, t);
        left[0] = t.x, left[1] = t.y, left[2] = t.z;
        return (OF(pair)){OF(add)(f.a, OF(times_symmetric)(&l->I.A, g)),
                          OF(add)(f.l, OF(times_transposed)(&l->I.B, g))};
    }
    const column *S = s->column + l->column;
    OF(pair) out = f;
    for (int c = 0; c < l->freedom; ++c) {
        VALUE own = OF(dot2)(S[c].S, f), t = force != NULL ? force[c] - own : -own;
        for (int k = 0; k < c; ++k)
            t -= S[c].L[k] * left[k];
        left[c] = t;
        out = OF(madd2)(out, t * S[c].inverse_D, S[c].Y);
    }
    return out;
}

// A twist and what a joint's rates add to it.
INLINE OF(pair) OF(add_rates)(const struct LIMBS() * s, const limb *l, OF(pair) a, const VALUE *rate)
{
    if (l->shape == ONE_TURN)
        a.a = OF(madd)(a.a, rate[0], l->axis);
    else if (l->shape == THREE_TURNS)
        a.a = OF(add)(a.a, OF(times)(&l->P, (OF(vector)){rate[0], rate[1], rate[2]}));
    else
        for (int c = 0; c < l->freedom; ++c)
            a = OF(madd2)(a, rate[c], s->column[l->column + c].S);
    return a;
}

// The rates of a limb's joint, and its twist, from `a`, what the limb above gives it.
INLINE OF(pair) OF(give_rates)(const struct LIMBS() * s, const limb *l, OF(pair) a, VALUE *rate)
{
    if (l->shape == ONE_TURN) {
        rate[0] = (rate[0] - OF(dot2)(l->Y, a)) * l->inverse_D;
        a.a = OF(madd)(a.a, rate[0], l->axis);
        return a;
    }
    if (l->shape == THREE_TURNS) {
        OF(vector) t = {rate[0], rate[1], rate[2]};
        t = OF(sub)(t, OF(add)(OF(times_symmetric)(&l->I.A, a.a), OF(times)(&l->I.B, a.l)));
        OF(vector) turn = OF(times_symmetric)(&l->G, t), u = OF(times_transposed)(&l->P, turn);
        rate[0] = u.x, rate[1] = u.y, rate[2] = u.z;
        a.a = OF(add)(a.a, turn);
        return a;
    }
    const column *S = s->column + l->column;
    for (int c = l->freedom - 1; c >= 0; --c) {
        rate[c] = (rate[c] - OF(dot2)(S[c].Y, a)) * S[c].inverse_D;
        for (int k = c + 1; k < l->freedom; ++k)
            rate[c] -= S[k].L[c] * rate[k];
    }
    return OF(add_rates)(s, l, a, rate);
}
