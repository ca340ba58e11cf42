// What both pages have around the picture: the state in words, the armed edge, marks of the episode, the picture of a camera.

import { Link } from './link.js';

const EVENTS = [['start', 'Start'], ['success', 'Success'], ['failure', 'Failure'], ['discard', 'Discard'], ['reset', 'Reset'], ['undo', 'Undo']];

export function linked() {
  const link = new Link(location.hash.slice(1), navigator.userAgentData ? navigator.userAgentData.platform || 'a browser' : 'a browser');
  const state = document.getElementById('state'), overlay = document.getElementById('overlay');
  let status = '';

  function show() {
    overlay.dataset.lamp = link.lamp;
    if (!link.open) state.textContent = 'Not connected' + (link.reason ? ': ' + link.reason : '') + '. Tap here to try again.';
    else if (!link.welcome) state.textContent = 'Waiting to be let in at the computer.';
    else {
      const delay = link.latency.median;
      state.textContent = [link.controls ? 'You control' : 'You watch', link.lamp === 'disarmed' ? '' : link.lamp, delay === null ? '' : Math.round(delay) + ' ms', status].filter(Boolean).join(' \u00b7 ');
    }
  }

  state.addEventListener('click', () => { if (!link.open) { link.reason = ''; link.connect(); } });
  for (const kind of ['welcome', 'role', 'refused', 'closed']) link.addEventListener(kind, show);
  link.addEventListener('status', ({ detail }) => {
    status = [detail.recording ? 'recording' : '', detail.text || '', detail.episodes === undefined ? '' : detail.episodes + ' episodes'].filter(Boolean).join(' \u00b7 ');
    show();
  });
  setInterval(show, 250);
  episodeButtons(link);
  pictures(link);
  link.connect();
  return link;
}

function episodeButtons(link) {
  const row = document.getElementById('episode');
  for (const [event, text] of EVENTS) {
    const button = document.createElement('button');
    button.className = 'button';
    button.textContent = text;
    button.addEventListener('click', () => link.event(event));
    row.append(button);
  }
  const camera = document.createElement('select');
  camera.className = 'button';
  const fill = () => camera.replaceChildren(...['', ...link.cameras].map((name) => new Option(name || 'No camera picture', name)));
  camera.addEventListener('change', () => link.send('camera', { camera: camera.value }));
  link.addEventListener('welcome', fill);
  link.addEventListener('cameras', fill);
  row.append(camera);
  fill();
}

// Newest only: the next is asked for when this one is on the screen.
function pictures(link) {
  const image = document.getElementById('picture');
  link.addEventListener('picture', ({ detail }) => {
    const before = image.src, address = URL.createObjectURL(new Blob([detail.jpeg], { type: 'image/jpeg' }));
    image.onload = image.onerror = () => {
      if (before) URL.revokeObjectURL(before);
      link.send('seen', { number: detail.number });
    };
    image.hidden = false;
    image.src = address;
  });
}
