// Keeps the figures of the last run with peers, and draws the chart of the README.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openDataFolder } from '../dev/postgres-home.ts'

export interface Figures {
  readonly rows: number
  /** Requests per second, divided by the gateway's in the same round. */
  readonly bars: readonly { readonly name: string; readonly ratio: number }[]
}

const figuresFile = () => join(openDataFolder(), 'bench-with-peers.json')
const chart = fileURLToPath(new URL('../docs/query-of-record.svg', import.meta.url))

export const keepFigures = (figures: Figures) => writeFileSync(figuresFile(), JSON.stringify(figures))

/** Draws the chart from the figures of the last run. */
export const drawChart = () => {
  if (!existsSync(figuresFile())) throw new Error('There are no figures yet. Run npm run bench -- --peers first.')
  const figures: Figures = JSON.parse(readFileSync(figuresFile(), 'utf8'))
  writeFileSync(chart, svgOf(figures))
  console.log(`Drew ${chart}`)
}

const WIDTH = 720
const NAMES = 240
const BAR = 22
const STEP = 32
const TOP = 44

// Greys that can be read on white and on black.
const TEXT = '#7a828b'
const OTHERS = '#9aa2ab'
const OURS = '#2f81f7'

const svgOf = ({ rows, bars }: Figures): string => {
  const sorted = bars.toSorted((a, b) => b.ratio - a.ratio)
  const longest = Math.max(...bars.map(({ ratio }) => ratio))
  const title = `Query of record at ${rows.toLocaleString('en')} transactions: requests per second, Paygraph = 1`
  const lines = sorted.flatMap(({ name, ratio }, index) => {
    const y = TOP + index * STEP
    const width = Math.round(((WIDTH - NAMES - 60) * ratio) / longest)
    return [
      `<text x="${NAMES - 12}" y="${y + 16}" text-anchor="end">${name}</text>`,
      `<rect x="${NAMES}" y="${y}" width="${width}" height="${BAR}" rx="3" fill="${ratio === 1 ? OURS : OTHERS}"/>`,
      `<text x="${NAMES + width + 8}" y="${y + 16}">${ratio.toFixed(2)}</text>`,
    ]
  })
  const height = TOP + bars.length * STEP
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="14" fill="${TEXT}">`,
    `<title>${title}</title>`,
    `<text x="0" y="20" font-weight="600">${title}</text>`,
    ...lines,
    '</svg>',
  ].join('\n')}\n`
}
