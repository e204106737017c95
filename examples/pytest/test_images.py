import images
import pytest

import rootward as rw


@pytest.mark.parametrize("quality", [10, 50, 75, 90, 100])
@pytest.mark.parametrize("colours", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("form", ["png", "jpeg", "webp"])
def test_every_format_can_be_saved(form, colours, quality):
    assert images.save(form, colours, quality)


@pytest.mark.rootward(space={"width": rw.Int(1, 10_000), "height": rw.Int(1, 10_000)})
@pytest.mark.parametrize(("width", "height"), [(640, 480), (100, 100), (9000, 30)])
def test_a_thumbnail_has_at_least_one_pixel(width, height):
    assert min(images.thumbnail(width, height)) >= 1
