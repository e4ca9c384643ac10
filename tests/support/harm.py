"""Harmful models: their references are missing or endless, or they nest without end."""
import os


def harm(folder):
    """Writes them beside the samples; their names."""
    text = (folder / 'bar.gltf').read_text()
    (folder / 'missing.gltf').write_text(text.replace('data:application/octet-stream;base64,', 'none.bin?'))
    os.mkfifo(folder / 'pipe.bin')
    (folder / 'pipe.gltf').write_text(text.replace(text[text.index('data:'):text.index('"', text.index('data:'))], 'pipe.bin'))
    os.mkfifo(folder / 'fifo.glb')
    (folder / 'nodes.gltf').write_text('{"asset":{"version":"2.0"},"nodes":[' + '{},' * 200000 + '{"children":[200000]}]}')
    (folder / 'deep.gltf').write_text('[' * 1000000)
    (folder / 'deep.json').write_text('{"format":"eigenrig-rig","bodies":' + '[' * 1000000)
    return ['missing.gltf', 'pipe.gltf', 'fifo.glb', 'nodes.gltf', 'deep.gltf', 'deep.json']
