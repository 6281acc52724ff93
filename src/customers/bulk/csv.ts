// Reads the rows of a CSV file as it arrives: UTF-8 with or without a mark, separated by commas, with a header. Each line has its own ending.
import { type CsvError, type Info, type InfoRecord, parse } from 'csv-parse'

/** A row is at most this long. A quote that is never closed would otherwise hold the rest of the file. */
const MAX_ROW_BYTES = 65_536

/** `line` is where the row begins, and the header begins at 1. */
export type CsvRow =
  | { readonly line: number; readonly cells: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

/** The file as a whole cannot be read. */
export class UnreadableCsv extends Error {}

interface Columns {
  readonly required: readonly string[]
  readonly known: readonly string[]
}

/** Unknown columns are ignored. Throws a `UnreadableCsv` if the file cannot be read further. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, columns: Columns): AsyncGenerator<CsvRow[], void> {
  let rows: CsvRow[] = []
  let problem: UnreadableCsv | undefined
  let lastLine = 0
  let emptyLines = 0
  let countedTwice = 0
  const begin = (end: number, emptyUntilEnd: number) => {
    const line = lastLine + 1 + emptyUntilEnd - emptyLines
    lastLine = end - countedTwice
    emptyLines = emptyUntilEnd
    return line
  }
  const parser = parse({
    bom: true,
    info: true,
    max_record_size: MAX_ROW_BYTES,
    // By default the parser expects the ending of the header everywhere, and takes another one for a part of the last cell.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    skip_records_with_error: true,
    cast: (cell) => {
      // The parser counts a CRLF inside of quotes as two lines.
      countedTwice += cell.split('\r\n').length - 1
      return cell
    },
    columns: (header: string[]) => {
      // The parser does not call `on_record` for the header.
      begin(parser.info.lines, parser.info.empty_lines)
      return namesOf(header, columns)
    },
    on_record: ({ record, info }: { record: Record<string, string>; info: Info & InfoRecord }) => {
      rows.push({ line: begin(info.lines, info.empty_lines), cells: record })
      return null
    },
    on_skip: (error: CsvError | undefined) => {
      const line = begin(Number(error?.['lines']), Number(error?.['empty_lines']))
      if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS') rows.push({ line, problem: OTHER_CELLS })
      else problem ??= new UnreadableCsv(`Line ${line}: ${PROBLEMS[error?.code ?? ''] ?? UNREADABLE}`)
      return undefined
    },
  })
  parser.on('error', (error) => {
    problem ??= error instanceof UnreadableCsv ? error : new UnreadableCsv(UNREADABLE)
  })
  // Discards the output, because `on_record` takes the records.
  parser.resume()
  for await (const text of decoded(bytes)) {
    await new Promise<void>((resolve) => parser.write(text, () => resolve()))
    if (problem) throw problem
    if (rows.length > 0) yield rows
    rows = []
  }
  await new Promise<void>((resolve) => {
    parser.once('close', resolve)
    parser.end()
  })
  if (problem) throw problem
  if (lastLine === 0) throw new UnreadableCsv('The file is empty')
  if (rows.length > 0) yield rows
}

const OTHER_CELLS = 'The row has more or fewer cells than the header'
const UNREADABLE = 'The file is not well-formed CSV'
/** After these errors the start of the next row is unknown. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: `A row is longer than ${MAX_ROW_BYTES} bytes, or a quote is not closed`,
  CSV_QUOTE_NOT_CLOSED: 'A quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'A closing quote must end its cell',
  INVALID_OPENING_QUOTE: 'A cell with quotes must begin with one',
}

const namesOf = (header: readonly string[], { required, known }: Columns): (string | false)[] => {
  const names = header.map((name) => name.trim())
  const absent = required.filter((name) => !names.includes(name))
  if (absent.length > 0) throw new UnreadableCsv(`The header lacks ${absent.join(', ')}`)
  const repeated = known.filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (repeated.length > 0) throw new UnreadableCsv(`The header has ${repeated.join(', ')} twice`)
  return names.map((name) => (known.includes(name) ? name : false))
}

/** Rejects Latin-1, which would otherwise turn into replacement characters. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? new UnreadableCsv('The file must be UTF-8') : error
  }
}
