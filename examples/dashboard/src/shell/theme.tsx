import { useState } from 'react'

const THEMES = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

/** Follows the system unless the reader chooses. public/theme.js sets the choice before the first paint. */
export const ThemeButton = () => {
  const [theme, setTheme] = useState(() => localStorage.getItem('paygraph.theme') ?? 'system')
  const choose = (next: string) => {
    setTheme(next)
    if (next === 'system') {
      localStorage.removeItem('paygraph.theme')
      delete document.documentElement.dataset['theme']
    } else {
      localStorage.setItem('paygraph.theme', next)
      document.documentElement.dataset['theme'] = next
    }
    dispatchEvent(new Event('themechange'))
  }
  return (
    <fieldset className="seg">
      <legend className="vh">Theme</legend>
      {THEMES.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={theme === value} onClick={() => choose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
