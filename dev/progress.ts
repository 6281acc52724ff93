import type { Progress } from './bulk.ts'

const WIDTH = 30
const number = new Intl.NumberFormat('en')

/** Shows a progress bar on a terminal, and otherwise a line for each tenth and each stage. */
export const progressOf = (stream: NodeJS.WriteStream) => {
  const began = performance.now()
  let last = ''
  return ({ done, count, stage }: Progress) => {
    const isOver = stage === 'done'
    const line = lineOf(done, count, stage, (performance.now() - began) / 1000)
    if (stream.isTTY) stream.write(`\r\x1b[K${line}${isOver ? '\n' : ''}`)
    const mark = `${stage.replace(/\d.*/, '')} ${Math.floor((done * 10) / count)}`
    if (!stream.isTTY && mark !== last) stream.write(`${line}\n`)
    last = mark
  }
}

const lineOf = (done: number, count: number, stage: string, seconds: number) => {
  const elapsed = `${seconds.toFixed(0)} s`
  if (stage !== 'transactions') return `${stage}, ${elapsed}`
  const filled = Math.floor((done * WIDTH) / count)
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
  const rate = number.format(Math.round(done / seconds))
  const left = Math.round((seconds * (count - done)) / done)
  return `${bar} ${number.format(done)} of ${number.format(count)}, ${rate}/s, ${elapsed}, ${left} s left`
}
