"""A plugin for buf that writes the gRPC stubs.

The generator of grpcio-tools is built into its own protoc and cannot be called as a plugin, so this
hands it what buf sends.
"""

import pathlib
import sys
import tempfile

from google.protobuf.compiler import plugin_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def main() -> int:
    asked = plugin_pb2.CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    answer = plugin_pb2.CodeGeneratorResponse(supported_features=1)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        out.mkdir()
        files = pathlib.Path(folder, "files.binpb")
        files.write_bytes(FileDescriptorSet(file=asked.proto_file).SerializeToString())
        with_services = [file.name for file in asked.proto_file if file.service]
        made = [name for name in asked.file_to_generate if name in with_services]
        arguments = [f"--descriptor_set_in={files}", f"--grpc_python_out={out}", *made]
        if made and protoc.main(["protoc", *arguments]):
            return 1
        for path in sorted(out.rglob("*.py")):
            answer.file.add(name=str(path.relative_to(out)), content=path.read_text())
    sys.stdout.buffer.write(answer.SerializeToString())
    return 0


sys.exit(main())
