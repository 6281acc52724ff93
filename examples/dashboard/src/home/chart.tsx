// Payments by day, stacked by outcome. The legend shows the figures of the day under the pointer.
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { figuresOf } from '../parts/money.tsx'

/** The parts from bottom to top. Each is drawn over the sum of the parts up to it. */
export const PARTS = [
  { key: 'completed', name: 'Completed', token: '--chart-1' },
  { key: 'moving', name: 'On their way', token: '--chart-2' },
  { key: 'refunded', name: 'Refunded', token: '--chart-3' },
  { key: 'failed', name: 'Failed', token: '--chart-4' },
] as const

export type Day = { readonly date: string } & Readonly<Record<(typeof PARTS)[number]['key'], number>>

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const dayName = (date: string) => dayFormat.format(new Date(`${date}T00:00:00Z`))

const sumsOf = (day: Day) => {
  let sum = 0
  return PARTS.map(({ key }) => (sum += day[key]))
}

/** The next round number, chosen so that the axis has four whole steps. */
const roundUp = (largest: number) => {
  const step = Math.max(1, largest / 4)
  const power = 10 ** Math.floor(Math.log10(step))
  const round = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= step && size % 1 === 0)
  return 4 * (round ?? Math.ceil(step))
}

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** The canvas knows neither light-dark() nor oklch() everywhere, but the browser computes any colour to one that it knows. */
const colourOf = (probe: HTMLElement, name: string) => {
  probe.style.color = `var(${name})`
  return getComputedStyle(probe).color
}

interface Props {
  readonly days: readonly Day[]
  readonly hover: (day: number | null) => void
}

const Plot = ({ days, hover }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [look, setLook] = useState(0)
  useEffect(() => {
    const redraw = () => setLook((count) => count + 1)
    const media = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) => matchMedia(query))
    for (const query of media) query.addEventListener('change', redraw)
    addEventListener('themechange', redraw)
    return () => {
      for (const query of media) query.removeEventListener('change', redraw)
      removeEventListener('themechange', redraw)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new look draws again with other colours
  useEffect(() => {
    const element = host.current
    if (!element) return
    const probe = element.appendChild(document.createElement('i'))
    const colours = PARTS.map((part) => colourOf(probe, part.token))
    const [grid, text, surface] = ['--chart-grid', '--text-3', '--surface'].map((name) => colourOf(probe, name))
    probe.remove()
    const top = roundUp(Math.max(1, ...days.map((day) => sumsOf(day).at(-1) ?? 0)))
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const font = `${0.75 * remPx}px ${token('--font')}`
    const bars = uPlot.paths.bars?.({ size: [0.7, 24], radius: [0.08, 0] })
    const sums = days.map(sumsOf)
    // The largest sum is drawn first and the others over it.
    const series = [...PARTS.keys()].reverse()
    const options: uPlot.Options = {
      width: element.clientWidth,
      height: element.clientHeight,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      padding: [8, 1.25 * remPx, 0, 0],
      scales: { x: { time: false, range: [-0.6, days.length - 0.4] }, y: { range: [0, top] } },
      axes: [
        {
          stroke: text ?? '',
          font,
          size: 1.75 * remPx,
          grid: { show: false },
          ticks: { show: false },
          splits: () => [...days.keys()].filter((at) => (days.length - 1 - at) % Math.ceil(days.length / 5) === 0),
          values: (_plot, at) =>
            at.map((index) => (index === days.length - 1 ? 'Today' : dayName(days[index]?.date ?? ''))),
        },
        {
          stroke: text ?? '',
          font,
          size: 2.5 * remPx,
          gap: 6,
          grid: { stroke: grid ?? '', width: 1 },
          ticks: { show: false },
          splits: () => [0, 1, 2, 3, 4].map((step) => (step * top) / 4),
          values: (_plot, at) => at.map((value) => figuresOf(value, 0)),
        },
      ],
      series: [
        {},
        ...series.map((part) => ({
          fill: colours[part] ?? '',
          // A line in the background colour separates the parts, so that they can be told apart without their colours.
          stroke: surface ?? '',
          width: 1,
          points: { show: false },
          ...(bars && { paths: bars }),
        })),
      ],
      hooks: { setCursor: [({ cursor }) => hover(cursor.idx ?? null)] },
    }
    const data = [[...days.keys()], ...series.map((part) => sums.map((sum) => sum[part] ?? 0))]
    plot.current = new uPlot(options, data as uPlot.AlignedData, element)
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: element.clientHeight }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [days, hover, look])
  return <div className="plot-host" ref={host} aria-hidden="true" />
}

/** Trend and extremes in one sentence, for those who do not see the bars. */
const describe = (days: readonly Day[]) => {
  const totals = days.map((day) => sumsOf(day).at(-1) ?? 0)
  const most = totals.indexOf(Math.max(...totals))
  const failed = days.reduce((worst, { failed }, at) => (failed > (days[worst]?.failed ?? 0) ? at : worst), 0)
  const worst = days[failed]
  return `Stacked bars: payments by day for ${days.length} days. Most, ${totals[most]}, on ${dayName(days[most]?.date ?? '')}. ${
    worst && worst.failed > 0 ? `Failures peak at ${worst.failed} on ${dayName(worst.date)}.` : 'None failed.'
  } The table below has every figure.`
}

export const Chart = ({ days }: { readonly days: readonly Day[] }) => {
  const [at, setAt] = useState<number | null>(null)
  const day = at === null ? undefined : days[at]
  const count = (key: (typeof PARTS)[number]['key']) =>
    day ? day[key] : days.reduce((sum, other) => sum + other[key], 0)
  const isToday = at === days.length - 1
  const step = (event: React.KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (!by) return
    event.preventDefault()
    setAt((current) => Math.min(Math.max((current ?? days.length) + by, 0), days.length - 1))
  }
  return (
    <>
      <div className="key num" aria-hidden="true">
        <strong>{day ? (isToday ? 'So far today' : dayName(day.date)) : 'All days'}</strong>
        {PARTS.map(({ key, name }, index) => (
          <span key={key} className={`k-${index + 1}`}>
            {name} <b>{figuresOf(count(key), 0)}</b>
          </span>
        ))}
      </div>
      <div
        className="chart"
        role="img"
        aria-label={describe(days)}
        tabIndex={0}
        onKeyDown={step}
        onBlur={() => setAt(null)}
      >
        <Plot days={days} hover={setAt} />
      </div>
      <details className="data">
        <summary>Show as table</summary>
        <div className="scroll" tabIndex={0} role="region" aria-label="Payments by day, table">
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">Day</th>
                {PARTS.map(({ key, name }) => (
                  <th key={key} scope="col" className="r">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...days].reverse().map((row) => (
                <tr key={row.date}>
                  <td>{dayName(row.date)}</td>
                  {PARTS.map(({ key }) => (
                    <td key={key} className="r num">
                      {figuresOf(row[key], 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}
