// Runs before the first paint, so that the chosen theme does not flash.
const theme = localStorage.getItem('paygraph.theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
