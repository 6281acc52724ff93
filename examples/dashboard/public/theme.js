// Runs before the first paint, so that the theme does not flash.
try {
  localStorage
} catch {
  // The browser keeps nothing.
  Object.defineProperty(window, 'localStorage', { value: { getItem() {}, setItem() {}, removeItem() {} } })
}
const theme = localStorage.getItem('paygraph.theme')
if (theme) document.documentElement.dataset.theme = theme
