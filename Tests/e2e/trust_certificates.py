"""Checks that a connection ends when its client's certificate expires."""
import subprocess

from certificates import Authority
from harness import PATIENCE, Server, by_load, check, equal


def expiry(folder):
    """A certificate that is valid for some seconds: its connections with endless responses, and what follows."""
    authority = Authority(folder / "certificates")
    certificate, key = authority.issue("server")
    with Server(folder, "--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", authority.certificate) as server:
        seconds = int(by_load(6))
        url = f"https://localhost:{server.port}/photos/42/likes"

        def curl(shown, *options):
            """An endless response, and at its end the version and the status."""
            return subprocess.Popen(
                ["curl", "-sS", "-N", "-m", str(seconds + PATIENCE), "--cacert", authority.certificate, "--cert", shown[0],
                 "--key", shown[1], "-o", "/dev/null", "-w", "%{http_version} %{http_code}", *options, url],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

        lasting = authority.issue("bob", "clientAuth")
        expiring = authority.issue("ada", "clientAuth", seconds=seconds)
        clients = {"1.1": curl(expiring, "--http1.1"), "2": curl(expiring, "--http2")}
        other = curl(lasting, "--http2")
        for version, client in clients.items():
            output = client.communicate(timeout=seconds + 2 * PATIENCE)[0]
            equal(f"HTTP/{version}: the response began with 200", output, f"{version} 200")
            # 28 is curl's own limit of time, 0 a complete response.
            check("… and its connection ends when the certificate expires", client.returncode not in (0, 28), client.returncode)
        check("another certificate's response goes on", other.poll() is None, other.returncode)
        other.kill()
        other.communicate()
        again = curl(expiring)
        equal("the certificate begins no other connection", again.communicate(timeout=seconds + 2 * PATIENCE)[0][-3:], "000")
        log = server.log.read_text()
        equal("the log has each closed connection", log.count("its client's certificate has expired"), 2)


GROUPS = (expiry,)
