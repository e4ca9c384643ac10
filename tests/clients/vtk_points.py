"""Started by tests, run by Debian's Python: prints where VTK draws the vertices of a GLB at times of a clip.

Arguments: a file, a clip's name, times; prints {"names": [...], "points": [{"NODE PRIMITIVE": [[x, y, z], ...]} for each time]}."""
import json
import sys

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkGLTFReader


def leaves(block, node=-1, primitive=0):
    if block is None:
        return
    if not block.IsA('vtkMultiBlockDataSet'):
        yield f'{node} {primitive}', vtk_to_numpy(block.GetPoints().GetData()).tolist()
        return
    for i in range(block.GetNumberOfBlocks()):
        data = block.GetMetaData(i)
        name = data.Get(block.NAME()) if data is not None and data.Has(block.NAME()) else ''
        yield from leaves(block.GetBlock(i), int(name[5:]) if name.startswith('Node_') else node, i)


path, clip, *times = sys.argv[1:]
names, points = [], []
for time in map(float, times):
    reader = vtkGLTFReader()  # one a time: the second time of one reader gives the first part the last one's vertices (9.1)
    reader.SetFileName(path)
    reader.ApplyDeformationsToGeometryOn()
    reader.UpdateInformation()
    names = [reader.GetAnimationName(i) for i in range(reader.GetNumberOfAnimations())]
    reader.SetFrameRate(60)
    reader.EnableAnimation(names.index(clip))
    reader.UpdateInformation()
    reader.UpdateTimeStep(time)
    points.append(dict(leaves(reader.GetOutput())))
print(json.dumps({'names': names, 'points': points}))
