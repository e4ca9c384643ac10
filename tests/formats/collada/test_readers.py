"""Collada files keep to the schema of Khronos."""
import pathlib
import shutil
import subprocess
import tempfile

from tap import BUILD, SOURCE, promise, run, skip

SAMPLES = BUILD / 'tests/formats/collada/collada_samples'
SCHEMA = pathlib.Path('/usr/lib/python3/dist-packages/collada/resources')  # of Debian's python3-collada
MODELS = ['puppet', 'leaning', 'bent', 'parts', 'wheel', 'posed', SOURCE / 'models/gnome.glb']


@promise
def files_keep_to_the_schema():
    if not shutil.which('xmllint'):
        skip('xmllint is not installed (libxml2-utils)')
    if not SCHEMA.is_dir():
        skip('the schema is not installed (python3-collada)')
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        shutil.copy(SCHEMA / 'xsd.xml', folder)
        text = (SCHEMA / 'schema-1.4.1.xml').read_text()
        text = text.replace('http://www.w3.org/2001/03/xml.xsd', 'xsd.xml')
        # a name may be any text here, as in the files of all other writers
        text = text.replace('name="name" type="xs:NCName"', 'name="name" type="xs:string"')
        (folder / 'schema.xsd').write_text(text)
        for model in MODELS:
            path = folder / f'{pathlib.Path(model).name}.dae'
            done = subprocess.run([SAMPLES, model, path, '0'], capture_output=True, text=True)
            assert done.returncode == 0, f'{model}: {done.stderr}'
            done = subprocess.run(['xmllint', '--nonet', '--noout', '--schema', folder / 'schema.xsd', path],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr


run()
