"""OpenFOAM cases, VTK files and planes that ParaView exports."""
