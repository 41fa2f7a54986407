"""Certificates of a test's own, made by openssl."""
import datetime
import subprocess

from harness import PATIENCE


def openssl(*arguments, text=""):
    """openssl's output; its own errors end the group."""
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True, input=text, timeout=PATIENCE)
    return done.stdout + done.stderr


class Authority:
    """Certificates by an authority of the run's own, or by none."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.certificate, self.key = folder / "ca.pem", folder / "ca.key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", self.key, "-out",
                self.certificate, "-subj", "/CN=authority", "-days", "2", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, usage="serverAuth", rsa=False, names="DNS:localhost,IP:127.0.0.1", seconds=None):
        """A certificate and its key; valid for a day, or for so many seconds."""
        certificate, key, request = (self.folder / f"{name}.{kind}" for kind in ("pem", "key", "csr"))
        kind = ("-newkey", "rsa:2048") if rsa else ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        openssl("req", "-new", *kind, "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        extensions = self.folder / "extensions"
        extensions.write_text(f"subjectAltName={names}\nextendedKeyUsage={usage}\n")
        if seconds is None:
            openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", "1",
                    "-extfile", extensions, "-out", certificate)
        else:
            end = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
            openssl(*self.signed(), "-batch", "-notext", "-in", request, "-extfile", extensions, "-out", certificate,
                    "-enddate", end.strftime("%Y%m%d%H%M%SZ"))
        return certificate, key

    def signed(self):
        """The beginning of openssl's ca commands."""
        (self.folder / "index").touch()
        (self.folder / "serial").write_text("1000\n")
        settings = self.folder / "settings"
        settings.write_text(f"[ca]\ndefault_ca=own\n[own]\ndatabase={self.folder}/index\ncrlnumber={self.folder}/serial\n"
                            f"default_md=sha256\ndefault_crl_days=1\nnew_certs_dir={self.folder}\nrand_serial=yes\npolicy=any\n"
                            "[any]\ncommonName=supplied\n")
        return ("ca", "-config", settings, "-cert", self.certificate, "-keyfile", self.key)

    def revoke(self, *certificates):
        """A list of what was revoked, written anew."""
        signed = self.signed()
        for certificate in certificates:
            openssl(*signed, "-revoke", certificate)
        openssl(*signed, "-gencrl", "-out", self.folder / "new.crl")
        return (self.folder / "new.crl").rename(self.folder / "revoked.crl")
