"""Chromium without a window, told what to do by its DevTools protocol, with an emulated headset (iwer, fetched by npm) in its pages."""
import asyncio
import base64
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import platformdirs
import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
IWER = "iwer@2.5.0"     # of Meta Platforms, MIT licence
IWER_FILE, IWER_SHA256 = "package/build/iwer.min.js", "23d8640949f19db4b1e70398b30e084e4aa555f3a81e4329da3fac1a70b39542"
FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-sync", "--mute-audio", "--window-size=360,240", "--remote-debugging-port=0")
PATIENCE = 120.0    # s that a loaded machine may take for anything
HEADSET = """;window.device = new IWER.XRDevice(IWER.metaQuest3, {stereoEnabled: true}); device.installRuntime({forceInstall: true}); device.primaryInputMode = 'hand';
window.errors = []; addEventListener('error', (e) => errors.push(e.message)); addEventListener('unhandledrejection', (e) => errors.push(String(e.reason)));
{ const request = navigator.xr.requestSession.bind(navigator.xr); navigator.xr.requestSession = async (...more) => window.session = await request(...more); }"""


def browser() -> str:
    """The program; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    return found


def emulator() -> str:
    """The text of the emulated headset, fetched once; skips the test where npm or its registry cannot be reached."""
    kept = Path(platformdirs.user_cache_dir("linkwork")) / "tests" / f"{IWER_SHA256[:16]}.js"
    if not kept.is_file():
        if shutil.which("npm") is None:
            pytest.skip(f"no npm here, which fetches the emulated headset {IWER}")
        kept.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["npm", "pack", "--silent", IWER], cwd=kept.parent, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot fetch {IWER}: {done.stderr.strip()[-200:]}")
        with tarfile.open(kept.parent / done.stdout.split()[-1]) as packed:
            kept.write_bytes(packed.extractfile(IWER_FILE).read())
    text = kept.read_bytes()
    assert hashlib.sha256(text).hexdigest() == IWER_SHA256, f"{kept} is not {IWER}"
    return text.decode()


def key_digest(certificate: Path) -> str:
    """SHA-256 of a certificate's public key, as Chromium wants it."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    return base64.b64encode(hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()).decode()


class Page:
    """One page of the browser."""

    def __init__(self, socket):
        self._socket, self._number = socket, 0

    async def do(self, method: str, **parameters) -> dict:
        """One command of the protocol; its result."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        async with asyncio.timeout(PATIENCE):
            async for message in self._socket:
                answer = json.loads(message.data)
                if answer.get("id") == self._number:
                    assert "error" not in answer, answer
                    return answer["result"]
        raise AssertionError("the browser has gone")

    async def js(self, text: str):
        """The value of an expression, awaited if it is a promise. Raises AssertionError with what went wrong there."""
        found = await self.do("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True, userGesture=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    async def until(self, text: str):
        """Wait until an expression is true; its value."""
        found = None
        try:
            async with asyncio.timeout(PATIENCE):
                while not (found := await self.js(text)):
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"never came: {text}; the page says {await self.js('[document.body.innerText, window.errors]')}") from None
        return found


@asynccontextmanager
async def opened(folder: Path, certificate: Path, headset: bool = True):
    """A Page with nothing in it, of a browser of its own that trusts this certificate's key."""
    program, emulated = browser(), emulator() if headset else ""
    flags = (*FLAGS, f"--user-data-dir={folder}", f"--ignore-certificate-errors-spki-list={key_digest(certificate)}")
    process = subprocess.Popen([program, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = await _port(folder, process)
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as answer:
                target = next(one for one in await answer.json() if one["type"] == "page")
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                await page.do("Page.enable")
                if headset:
                    await page.do("Page.addScriptToEvaluateOnNewDocument", source=emulated + HEADSET)
                yield page
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


async def _port(folder: Path, process) -> int:
    file = folder / "DevToolsActivePort"
    async with asyncio.timeout(PATIENCE):
        while not file.is_file() or not (lines := file.read_text().split()):
            assert process.poll() is None, "Chromium has ended"
            await asyncio.sleep(0.05)
    return int(lines[0])


if __name__ == "__main__":      # whether there is all that these tests need: test.sh asks
    try:
        browser(), emulator()
    except pytest.skip.Exception as why:
        sys.exit(str(why))
