"""Tests of the report in a browser, used as people use it. Run by ctest; skipped where there is no
Chromium."""
import re
import unittest

from browser import PROGRAM
from report_page import READY, ShownTestCase, made_up

from page import drawing
from PIL import Image

GUTTER, MARGIN = 88, 10  # beside the timelines, as in parts/draw.js


def setUpModule():
    """One page and one browser for all tests."""
    if PROGRAM:
        InChromium.show(*made_up())
        unittest.addModuleCleanup(InChromium.doClassCleanups)


@unittest.skipUnless(PROGRAM, "there is no Chromium here; CHROMIUM may name one")
class InChromium(ShownTestCase):
    size = {"width": 1200, "height": 900}

    @classmethod
    def fit(cls):
        """Gives the browser the size of these tests, and no preferences."""
        cls.browser.resize(**cls.size)
        cls.browser.prefer()

    def setUp(self):
        self.fit()

    @classmethod
    def open(cls):
        """With everything open."""
        cls.browser.complaints.clear()
        cls.browser.fetched.clear()
        cls.browser.open(cls.file, READY)
        cls.run_js("for (const part of document.querySelectorAll('details')) part.open = true")
        # The canvases are drawn, and move the content below them, only when their size is noticed.
        cls.browser.wait("""new Promise((done) => requestAnimationFrame(() =>
          requestAnimationFrame(() => done([...document.querySelectorAll("canvas")].every(
            (one) => one.width > 300 && one.height > 150)))))""")

    @classmethod
    def run_js(cls, expression):
        return cls.browser.evaluate(expression)

    def range(self, timeline=0):
        """From and to in microseconds, as the page says."""
        words = self.run_js(f"document.querySelectorAll('.range')[{timeline}].textContent")
        return [float(word.replace(",", "")) for word in words.split()[:3:2]]

    def canvas(self, timeline=0):
        """Brings a timeline into view; its left, top, width and height."""
        return self.run_js(f"""(() => {{
          const canvas = document.querySelectorAll("canvas")[{timeline}];
          canvas.scrollIntoView({{ block: "center" }});
          const box = canvas.getBoundingClientRect();
          return [box.left, box.top, box.width, box.height];
        }})()""")

    def focus(self, timeline=0):
        self.canvas(timeline)
        self.run_js(f"document.querySelectorAll('canvas')[{timeline}].focus()")

    def spoken(self, timeline=0):
        return self.run_js(f"document.querySelectorAll('.spoken')[{timeline}].textContent")

    def passes(self, preset):
        """Returns those that are shown at first."""
        return [p for p in self.trace.passes
                if p.preset == preset and p.variant in ("streams", "graph", "pool")]

    def end(self, preset):
        return max(item.start + item.duration for p in self.passes(preset)
                   for item in (*p.calls, *p.operations))


class Read(InChromium):
    """Tests that leave the page, opened once, as it was."""

    @classmethod
    def setUpClass(cls):
        cls.fit()
        cls.open()

    def test_loads_without_an_error_and_fetches_nothing(self):
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual([url for url in self.browser.fetched if not url.startswith("data:")],
                         [self.file.resolve().as_uri()])
        drawn = self.run_js("""[...document.querySelectorAll(".pictures svg, .contenders svg")]
          .map((drawing) => drawing.getBoundingClientRect().width)""")
        self.assertEqual(len(drawn), 12)
        self.assertGreater(min(drawn), 300)

    def test_shows_the_figures(self):
        cells = self.run_js("""[...document.querySelectorAll("#launch-0 .times tr.advised > *")]
          .map((cell) => cell.innerText)""")
        self.assertEqual((cells[0], cells[3:6]),
                         ("graph", ["1,284", "12,346", "2.000 [1.818, 2.222]"]))
        for timeline, preset in enumerate(("launch", "transfer")):
            low, high = self.range(timeline)
            self.assertEqual(low, 0)
            self.assertAlmostEqual(high / self.end(preset), 1, 2)

    def test_keys_zoom_and_move(self):
        self.focus()
        _, whole = self.range()
        for _ in range(6):
            self.browser.press("+")
        low, high = self.range()
        self.assertAlmostEqual((high - low) / whole, 1.5**-6, 2)
        self.browser.press("ArrowRight")
        self.assertAlmostEqual(self.range()[0], low + (high - low) / 5, delta=whole / 500)
        self.browser.press("ArrowLeft")
        self.assertAlmostEqual(self.range()[0], low, delta=whole / 500)
        self.browser.press("-")
        self.assertGreater(self.range()[1] - self.range()[0], 1.4 * (high - low))
        self.browser.press("0")
        self.assertEqual(self.range(), [0, whole])
        self.assertEqual(self.range(1), [0, self.range(1)[1]], "the other one stays as it was")

    def test_buttons(self):
        whole = self.range(1)
        for do, change in (("in", 1.5**-1), ("out", 1)):
            self.run_js(f"document.querySelectorAll('[data-do={do}]')[1].click()")
            low, high = self.range(1)
            self.assertAlmostEqual((high - low) / whole[1], change, 2)
        self.run_js("document.querySelectorAll('[data-do=chunks]')[1].click()")
        low, high = self.range(1)
        ends = sorted(max(o.end for o in p.operations if o.chunk < 8)
                      for p in self.passes("transfer"))
        self.assertEqual(low, 0)
        self.assertAlmostEqual(high / (1.05 * ends[1]), 1, 2)
        self.run_js("document.querySelectorAll('[data-do=all]')[1].click()")
        self.assertEqual(self.range(1), whole)

    def test_every_operation_of_a_row_is_reached_by_keys(self):
        self.focus(1)
        first = self.passes("transfer")[0]
        self.browser.press("ArrowDown", shift=True)  # the host's row
        self.assertIn(first.calls[0].name, self.spoken(1))
        self.browser.press("ArrowDown", shift=True)
        heard = [self.spoken(1)]
        for _ in range(31):
            self.browser.press("ArrowRight", shift=True)
            heard.append(self.spoken(1))
        copies = [o for o in first.operations if o.engine_row == "copy in"]
        self.assertEqual(len(copies), 32)
        for words, operation in zip(heard, copies):
            for part in (f"copy in, chunk {operation.chunk}, lane {operation.lane}, ",
                         f"stream {operation.stream}", "4,096 bytes, ",
                         f"takes {operation.duration:,.0f} µs", "issued by cudaMemcpyAsync at "):
                self.assertIn(part, words)
        self.browser.press("Escape")
        self.assertEqual(self.spoken(1), "")

    def test_a_tooltip_tells_of_what_is_under_the_pointer(self):
        left, top, width, _ = self.canvas(1)
        scale = (width - GUTTER - MARGIN) / self.end("transfer")
        operation = next(o for o in self.passes("transfer")[0].operations
                         if o.engine_row == "copy out" and o.chunk == 5)
        x = GUTTER + scale * (operation.start + operation.duration / 2)
        y = 26 + 3.5 * 18  # a heading, host, copy in, SMs; then this row
        self.browser.mouse("mouseMoved", left + x, top + y)
        tip = "document.querySelectorAll('.tip')[1]"
        words = self.run_js(f"{tip}.hidden ? '' : {tip}.innerText").splitlines()
        rate = 4096 / operation.duration / 1e3
        self.assertEqual(words[:4], ["copy out", "chunk 5", "lane 1", "stream 8"])
        self.assertIn(f"4,096 bytes, {rate:.3g} GB/s"[:20], words[-2])
        self.browser.mouse("mouseMoved", left + 2, top - 60)
        self.assertTrue(self.run_js(f"{tip}.hidden"))

    def test_rows_are_drawn_where_operations_are(self):
        _, _, width, _ = self.canvas(1)
        scale = (width - GUTTER - MARGIN) / self.end("transfer")
        streams = self.passes("transfer")[0]
        copies = [o for o in streams.operations if o.engine_row == "copy out"]
        row = 26 + 3.5 * 18

        def painted(when):
            return self.run_js(f"""document.querySelectorAll("canvas")[1].getContext("2d")
              .getImageData({GUTTER + scale * when}, {row}, 3, 3).data.some((value) => value)""")
        self.assertTrue(painted(copies[3].start + copies[3].duration / 4))
        self.assertFalse(painted(copies[0].start / 2))

    def test_the_advised_variant_stands_out_as_a_whole(self):
        grounds = self.run_js("""[...document.querySelectorAll("#launch-0 tr.advised > *")]
          .map((cell) => getComputedStyle(cell).backgroundColor)""")
        self.assertEqual(set(grounds), {"rgb(231, 243, 251)"})

    def test_dark_mode_is_followed_also_by_pictures(self):
        grounds = []
        for scheme in ("light", "dark"):
            self.browser.prefer(prefers_color_scheme=scheme)
            ground = self.run_js("getComputedStyle(document.body).backgroundColor")
            grounds.append(ground)
            colours = self.run_js("""[...document.querySelectorAll(".picture")].flatMap((picture) =>
              [...picture.querySelectorAll("text, use")].map((one) => {
                const style = getComputedStyle(one);
                return [one.tagName, style.fill, style.stroke];
              }))""")
            self.assertEqual({name for name, _, _ in colours}, {"text", "use"})
            for name, fill, stroke in set(map(tuple, colours)):
                seen = max(drawing.contrast(hexadecimal(colour), hexadecimal(ground))
                           for colour in (fill, stroke) if colour.startswith("rgb("))
                # A variant's marker may have a light colour on white: its edge is the same.
                self.assertGreater(seen, 4.5 if name == "text" else 3 if scheme == "dark" else 2)
        self.assertEqual(grounds, ["rgb(255, 255, 255)", "rgb(20, 23, 27)"])

    def test_print_has_the_picture_of_the_timelines_on_white(self):
        shown = "getComputedStyle(document.querySelector('{}')).display !== 'none'"
        self.assertTrue(self.run_js(shown.format(".timeline")))
        self.assertFalse(self.run_js(shown.format(".printed")))
        self.browser.resize(718, 1000)  # A4 less its margins
        self.browser.prefer("print", prefers_color_scheme="dark")
        self.assertFalse(self.run_js(shown.format(".timeline")))
        self.assertTrue(self.run_js(shown.format(".printed")))
        self.assertEqual(self.run_js("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")
        self.assertLessEqual(self.run_js("document.documentElement.scrollWidth"), 718)


class OnAPhone(InChromium):
    """Tests that only scroll in the page, which is opened once."""

    size = {"width": 390, "height": 844, "touch": True}

    @classmethod
    def setUpClass(cls):
        cls.fit()
        cls.open()

    def test_a_phone_has_no_sideways_scrolling(self):
        self.assertEqual(self.run_js("[document.documentElement.scrollWidth, innerWidth]"),
                         [390, 390])

    def test_on_a_phone_every_column_is_reached_and_the_first_one_stays(self):
        wide, cut = self.run_js("""(() => {
          const cut = [];
          let wide = 0;
          for (const table of document.querySelectorAll("table")) {
            const holder = table.closest(".scroll"), box = holder.getBoundingClientRect();
            const style = getComputedStyle(holder);
            if (box.right > innerWidth) cut.push([holder.ariaLabel, "is beside the screen"]);
            if (holder.scrollWidth <= holder.clientWidth) continue;
            wide++;
            if (style.overflowX !== "auto") cut.push([holder.ariaLabel, "fixed"]);
            holder.scrollLeft = 99999;
            for (const row of table.rows) {
              const first = row.cells[0].getBoundingClientRect();
              const last = row.cells[row.cells.length - 1].getBoundingClientRect();
              if (last.right > box.right + 1) cut.push([holder.ariaLabel, row.innerText]);
              if (Math.abs(first.left - box.left) > 1) cut.push([holder.ariaLabel, "moved away"]);
            }
          }
          return [wide, cut];
        })()""")
        self.assertEqual(cut, [])
        self.assertGreater(wide, 5)

    def edge(self, selector):
        """The most frequent colour just within the right end of an element, and its ground's."""
        box = self.run_js(f"""(() => {{
          const found = document.querySelector("{selector}");
          found.scrollIntoView({{ block: "center", behavior: "instant" }});
          const box = found.getBoundingClientRect();
          const left = getComputedStyle(found);
          return [box.right - parseFloat(left.borderRightWidth), box.top, box.bottom,
                  left.backgroundColor === "rgba(0, 0, 0, 0)"
                    ? getComputedStyle(document.body).backgroundColor : left.backgroundColor];
        }})()""")
        right, top, bottom = (round(value) for value in box[:3])
        shot = self.file.with_name("edge.png")
        self.browser.screenshot(shot)
        with Image.open(shot) as image:
            strip = image.convert("RGB").crop((right - 3, max(top, 60), right - 2,
                                               min(bottom, image.height)))
        colour = max(strip.getcolors(), key=lambda found: found[0])[1]
        return colour, tuple(map(int, re.findall(r"\d+", box[3])[:3]))

    def test_what_scrolls_sideways_has_a_shadow_where_it_goes_on(self):
        for scheme in ("light", "dark"):
            self.browser.resize(**self.size)
            self.browser.prefer(prefers_color_scheme=scheme)
            for selector in ("#launch-0 > .scroll", "#launch-0 .pictures > .picture"):
                with self.subTest(scheme=scheme, of=selector):
                    self.run_js(f"document.querySelector('{selector}').scrollLeft = 0")
                    colour, ground = self.edge(selector)
                    self.assertGreater(abs(colour[0] - ground[0]), 25)
                    self.run_js(f"document.querySelector('{selector}').scrollLeft = 9999")
                    self.assertEqual(*self.edge(selector))
            self.browser.resize(1200, 900)
            self.assertEqual(*self.edge("#launch-0 > .scroll"))


class Changed(InChromium):
    """Tests that change the page, and so open it."""

    def test_the_wheel_scrolls_the_page_before_a_click_and_zooms_after_it(self):
        self.open()
        left, top, width, height = self.canvas()
        place = left + width / 2, top + height / 2
        whole = self.range()
        before = self.run_js("scrollY")
        self.browser.mouse("mouseWheel", *place, deltaX=0, deltaY=-200)
        self.browser.wait(f"scrollY !== {before}")
        self.assertEqual(self.range(), whole)
        left, top, width, height = self.canvas()
        place = left + width / 2, top + height / 2
        self.browser.click(*place)
        self.browser.mouse("mouseWheel", *place, deltaX=0, deltaY=-200)
        self.assertLess(self.range()[1] - self.range()[0], 0.9 * whole[1])

    def test_dragging_moves(self):
        self.open()
        self.focus()
        for _ in range(4):
            self.browser.press("+")
        low, high = self.range()
        left, top, width, _ = self.canvas()
        self.browser.mouse("mouseMoved", left + 600, top + 40)
        self.browser.mouse("mousePressed", left + 600, top + 40, button="left", clickCount=1)
        self.browser.mouse("mouseMoved", left + 400, top + 40, button="left")
        self.browser.mouse("mouseReleased", left + 400, top + 40, button="left", clickCount=1)
        moved = 200 * (high - low) / (width - GUTTER - MARGIN)
        self.assertAlmostEqual(self.range()[0], low + moved, delta=(high - low) / 50)

    def test_numbers_leave_the_looks_of_a_bar_to_be_seen(self):
        self.browser.resize(500, 900)
        self.open()
        self.focus(1)
        _, _, width, _ = self.canvas(1)
        middle = self.end("transfer") / 2
        bar = min((o for o in self.passes("transfer")[0].operations if o.activity == "copy in"),
                  key=lambda o: abs(o.start + o.duration / 2 - middle))
        widths = []
        for _ in range(5):
            low, high = self.range(1)
            scale = (width - GUTTER - MARGIN) / (high - low)
            x, wide = GUTTER + scale * (bar.start - low), scale * bar.duration
            coloured = self.run_js(f"""[...new Uint32Array(document.querySelectorAll("canvas")[1]
              .getContext("2d").getImageData({x + 2}, {26 + 18 + 5}, {wide - 4}, 1).data.buffer)]
              .filter((pixel) => pixel !== 0xffffffff).length""")
            self.assertGreaterEqual(coloured, min(wide - 6, 14), f"{wide} pixels wide")
            widths.append(wide)
            self.browser.press("+")
        self.assertLess(widths[0], 15)
        self.assertGreater(widths[-1], 45)

    def test_variants_and_rows_can_be_chosen(self):
        self.open()
        high = self.canvas()[3]
        self.run_js("document.querySelector('input[value=serial]').click()")
        self.assertEqual(self.canvas()[3], high + 26 + 4 * 18)
        self.assertGreater(self.range()[1], self.end("launch"))
        self.run_js("document.querySelector('input[value=both]').click()")
        self.assertEqual(self.canvas()[3], high + 26 + 4 * 18 + 4 * 4 * 18)

    def heading(self, table, words):
        """Brings the button in a table's heading into focus."""
        self.run_js(f"""[...document.querySelectorAll("{table} thead button")].find(
          (button) => button.innerText.startsWith("{words}")).focus()""")

    def column(self, table, words):
        """The first cells of its rows, and the cells below a heading, with the sort that it tells.
        """
        return self.run_js(f"""(() => {{
          const table = document.querySelector("{table}");
          const head = [...table.tHead.rows[0].cells];
          const at = head.findIndex((cell) => cell.innerText.startsWith("{words}"));
          return [[...table.rows].slice(1).map((row) => row.cells[0].innerText),
            [...table.rows].slice(1).map((row) => row.cells[at]?.innerText ?? ""),
            head.map((cell) => cell.ariaSort).filter(Boolean), head[at].ariaSort];
        }})()""")

    def test_tables_sort_by_value_within_their_tiers(self):
        self.open()
        names = self.column("#launch-0 .times", "submit")[0]
        self.assertEqual(names, ["same operations", "serial", "streams", "graph", "pool",
                                 "engines", "rewritten", "fused"])
        self.heading("#launch-0 .times", "submit")
        self.browser.press("Enter")
        rows, cells, told, here = self.column("#launch-0 .times", "submit")
        times_us = [float(cell.replace(",", "")) for cell in cells[1:6]]
        self.assertEqual((times_us, told, here), (sorted(times_us), ["ascending"], "ascending"))
        self.assertEqual((rows[0], *rows[-2:]), ("same operations", "rewritten", "fused"))
        self.assertNotEqual(times_us, [float(cell.replace(",", "")) for cell in sorted(cells[1:6])],
                            "as texts they would have another order")
        self.browser.press(" ")
        rows, cells, told, here = self.column("#launch-0 .times", "submit")
        self.assertEqual(([float(cell.replace(",", "")) for cell in cells[1:6]], here),
                         (times_us[::-1], "descending"))
        self.heading("#launch-0 .times", "speed")
        self.browser.press("Enter")
        rows, cells, told, _ = self.column("#launch-0 .times", "speed")
        self.assertEqual(told, ["ascending"])
        self.assertEqual((rows[5], cells[5]), ("streams", "reference"))
        self.browser.press("Enter")
        self.browser.press("Enter")
        self.assertEqual(self.column("#launch-0 .times", "speed")[0], names)

    def test_sizes_sort_by_bytes_and_what_is_empty_comes_last(self):
        self.open()
        self.run_js("""(() => {
          const [one, other] = document.querySelectorAll("#launch-0 .always tbody tr");
          one.cells[5].innerText = "2 GiB"; one.cells[5].dataset.value = 2 ** 31;
          other.cells[5].innerText = ""; delete other.cells[5].dataset.value;
        })()""")
        for _ in range(2):
            self.heading("#launch-0 .always table", "device memory")
            self.browser.press("Enter")
            _, cells, _, told = self.column("#launch-0 .always table", "device memory")
            self.assertEqual(cells[-1], "")
            self.assertEqual(cells[4] if told == "ascending" else cells[0], "2 GiB")

    def test_a_command_is_copied(self):
        self.open()
        self.browser.send("Browser.grantPermissions",
                          permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        wanted = "trilane --trace t.json --json '<r>.json'"
        self.run_js("""document.querySelector(".made .copy").scrollIntoView({block: "center"})""")
        box = self.run_js("""(({ x, y, width, height }) => [x + width / 2, y + height / 2])(
          document.querySelector(".made .copy").getBoundingClientRect())""")
        self.browser.click(*box)
        self.browser.wait("document.getElementById('said').textContent === 'Copied'")
        self.assertEqual(self.run_js("navigator.clipboard.readText()"), wanted)
        self.run_js("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))")
        self.browser.click(*box)
        self.browser.wait("document.getElementById('said').textContent.startsWith('Selected')")
        self.assertEqual(self.run_js("getSelection().toString()"), wanted)

    def test_a_link_opens_what_it_leads_to(self):
        self.browser.open(self.file, READY)
        shown = "document.querySelector('#transfer-1 .verdict').checkVisibility(" \
                "{ contentVisibilityAuto: true })"
        self.assertFalse(self.run_js(shown))
        self.run_js("""document.querySelector(".tiers a[href='#transfer-1']").click()""")
        self.browser.wait(shown)
        self.assertFalse(self.run_js(shown.replace("transfer-1", "launch-0")))

    def test_without_scripts_everything_is_there_but_what_needs_them(self):
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(self.file, "!!document.querySelector('#context')")
            self.run_js("for (const part of document.querySelectorAll('details')) part.open = true")
            shown = "getComputedStyle(document.querySelector('{}')).display !== 'none'"
            self.assertTrue(self.run_js(shown.format(".printed")))
            self.assertFalse(self.run_js(shown.format(".timeline")))
            self.assertEqual(self.run_js("document.querySelectorAll('.sort, .copy').length"), 0)
            self.assertIn("1,284", self.run_js(
                "document.querySelector('#launch-0 .times').innerText"))
        finally:
            self.browser.send("Emulation.setScriptExecutionDisabled", value=False)

    def test_all_controls_are_reached_by_the_tab_key(self):
        self.open()
        met = set()
        for _ in range(60):
            self.browser.press("Tab")
            met.add(self.run_js("""(() => { const at = document.activeElement;
              return at.dataset.do || at.type || at.tagName; })()"""))
        self.assertLessEqual({"A", "radio", "SUMMARY", "CANVAS", "FIGURE", "in", "out", "left",
                              "right", "chunks", "all"}, met)


def hexadecimal(colour):
    """"#0072b2" for "rgb(0, 114, 178)"."""
    return "#" + "".join(f"{int(channel):02x}" for channel in re.findall(r"\d+", colour)[:3])
