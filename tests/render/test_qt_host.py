"""Our renderer inside Qt's widget, beside a standalone context in the same process: in a process of its own with a display."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAM = '''
import sys
from PyQt6 import QtCore, QtGui, QtWidgets
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from render.gpu import context
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.renderer import Renderer
from render.scene import shapes
from tests.render.stage import FRONT, one

form = QtGui.QSurfaceFormat()
form.setVersion(3, 3)
form.setProfile(form.OpenGLContextProfile.CoreProfile)
form.setDepthBufferSize(24)
QtGui.QSurfaceFormat.setDefaultFormat(form)
QtCore.QCoreApplication.setAttribute(QtCore.Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
app = QtWidgets.QApplication([])
off = Offscreen(64, 48, QUALITIES['low'])
scene = one(shapes.BOX, (0.5, 0.5, 0.5), (1, 0.5, 0, 1))


class Widget(QOpenGLWidget):
    made = painted = 0

    def initializeGL(self):
        self.ctx = context.from_host(QtGui.QOpenGLContext.currentContext().getProcAddress)
        self.renderer = Renderer(self.ctx, QUALITIES['medium'])
        self.made += 1

    def paintGL(self):
        target = self.ctx.detect_framebuffer(self.defaultFramebufferObject())
        self.renderer.draw(scene, FRONT, target, (self.width(), self.height()))
        assert self.ctx.error == 'GL_NO_ERROR'
        painter = QtGui.QPainter(self)
        painter.fillRect(0, 0, 10, 10, QtGui.QColor('blue'))
        painter.end()
        self.painted += 1


def color(image, x, y):
    return image.pixelColor(x, y).getRgb()[:3]


widgets = [Widget(), Widget()]
for k, widget in enumerate(widgets):
    widget.resize(160 + 40 * k, 120)
    widget.show()


def check():
    for widget in widgets:
        assert off.rgb(scene, FRONT)[24, 32].tolist() == [255, 128, 0]      # between Qt's frames
        widget.resize(widget.width() + 20, 140)
        image = widget.grabFramebuffer()
        middle = color(image, image.width() // 2, image.height() // 2)
        assert middle == (255, 128, 0), middle
        assert color(image, 4, 4) == (0, 0, 255) and color(image, image.width() - 3, 3) == (0, 0, 0)
        assert widget.made == 1 and widget.painted >= 2
        widget.makeCurrent()
        widget.renderer.release()
        widget.doneCurrent()
    off.close()
    print('all well', flush=True)
    app.quit()


QtCore.QTimer.singleShot(300, check)
app.exec()
'''


def test_two_widgets_and_a_standalone_context_in_one_process():
    command = [sys.executable, '-c', PROGRAM]
    if not os.environ.get('DISPLAY') and not os.environ.get('WAYLAND_DISPLAY'):
        xvfb = shutil.which('xvfb-run')
        assert xvfb, 'this test needs a display or xvfb-run (apt install xvfb); ./test.sh brings one'
        command = [xvfb, '-a', *command]
    root = Path(__file__).resolve().parents[2]
    env = {**os.environ, 'PYTHONPATH': str(root)}
    env.pop('QT_QPA_PLATFORM', None)
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, timeout=60)
    assert 'all well' in done.stdout, done.stdout + done.stderr
