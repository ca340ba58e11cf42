// From the address of the QR code to the page that this device can show; the token goes along in the fragment.

const fragment = location.hash, touch = document.getElementById('touch'), xr = document.getElementById('xr'), about = document.getElementById('about');
touch.hash = fragment;
xr.hash = fragment;

async function supported(kind) {
  try { return Boolean(navigator.xr && await navigator.xr.isSessionSupported(kind)); } catch { return false; }
}

if (fragment.length < 2) {
  about.textContent = 'The address has no key in it. Scan the QR code of the Teleoperate panel again.';
  touch.hidden = true;
} else if (await supported('immersive-vr') || await supported('immersive-ar')) {
  xr.hidden = false;
  about.textContent = 'How do you want to drive?';
} else {
  location.replace('/touch' + fragment);
}
