"""What a button of a page downloads, in any browser."""

# Firefox tells nobody of downloads by WebDriver BiDi: there the link that the page presses is kept, and its content.
KEPT = '''() => {
  const made = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  let content = null;
  window.kept = null;
  URL.createObjectURL = one => { content = one; return made.call(URL, one); };
  HTMLAnchorElement.prototype.click = function () {
    if (!this.download) return click.call(this);
    const name = this.download;
    content.text().then(text => { window.kept = [name, text]; });
    URL.createObjectURL = made;
    HTMLAnchorElement.prototype.click = click;
  };
}'''


def downloaded(page, button):
    """Press a button, and return the name and the text of the file that it downloads."""
    press = page.get_by_role('button', name=button).click
    if page.context.browser.browser_type.name == 'firefox':
        page.evaluate(KEPT)
        press()
        page.wait_for_function('window.kept')
        return tuple(page.evaluate('window.kept'))
    with page.expect_download() as saved:
        press()
    return saved.value.suggested_filename, saved.value.path().read_text(encoding='utf-8')
