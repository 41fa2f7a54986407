"""Compiles and links Swift files with the modules that are built, in seconds: SwiftPM would build all of them again."""
import subprocess
from pathlib import Path

from harness import BINARY, ROOT

BUILT = BINARY.parent
# System libraries whose headers the modules import.
SYSTEM = ("CNghttp2", "COpenSSL", "CPostgreSQL", "CZlib")
# The linker's options that SwiftPM reads from pkg-config.
LINKED = ("-lnghttp2", "-lssl", "-lcrypto", "-lz")
RUNNER = """import Testing
@main struct Runner { static func main() async { await Testing.__swiftPMEntryPoint() as Never } }
"""


def options():
    """The compiler's options that find the built modules and the C modules."""
    found = ["-swift-version", "6", "-I", BUILT / "Modules"]
    for name in SYSTEM:
        found += ["-I", ROOT / "Sources" / name]
    for module in [*BUILT.glob("*.build/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/*/module.modulemap"),
                   *ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap")]:
        found += ["-Xcc", f"-fmodule-map-file={module}"]
    return found


def library():
    """The objects of Plugboard: those of the sample without its own, and those for tests."""
    listed = (BUILT / "photos.product/Objects.LinkFileList").read_text().split("\n")
    objects = {line.strip("'\"") for line in listed if line and "/Photos.build/" not in line}
    for module in ("PlugTesting", "PlugboardTesting"):
        objects |= {str(path.resolve()) for path in BUILT.resolve().glob(f"{module}.build/*.o")}
    return sorted(objects)


def swiftc(*arguments):
    """What the compiler says; empty if it succeeds."""
    run = subprocess.run(["swiftc", *map(str, arguments)], capture_output=True, text=True, timeout=600)
    return (run.stdout + run.stderr) if run.returncode else ""


class Build:
    """Modules of their own in a folder, which can be linked to an executable."""

    def __init__(self, folder):
        self.folder, self.objects = folder, {}
        folder.mkdir(parents=True, exist_ok=True)

    def module(self, name, sources, *more, is_executable=False):
        """Compiles a module. An executable's `main` has the module's name, as SwiftPM gives it, so that tests import it."""
        entry = ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", f"{name}_main"] if is_executable else []
        self.objects[name] = self.folder / f"{name}.o"
        # This folder comes first, since a module of its name may be among the built ones.
        return swiftc("-I", self.folder, *options(), "-module-name", name, "-parse-as-library", "-enable-testing", "-wmo",
                      "-warnings-as-errors", "-emit-module", "-emit-module-path", self.folder / f"{name}.swiftmodule",
                      "-c", "-o", self.objects[name], *entry, *more, *sources)

    def link(self, output, names, entry=None):
        """Links modules with Plugboard; `entry` is the executable module that begins."""
        response = self.folder / "objects"
        response.write_text("\n".join(f'"{path}"' for path in [*(self.objects[name] for name in names), *library()]))
        start = ["-Xlinker", f"--defsym=main={entry}_main"] if entry else []
        return swiftc("-o", output, f"@{response}", *start, *LINKED)
