// CSV files as clients send them: what is read, which rows are reported as wrong, and which files are refused.
import { expect, it } from 'vitest'
import { readCsv, UnreadableCsv } from '#customers/bulk/csv.ts'

const COLUMNS = { required: ['a', 'b'], known: ['a', 'b', 'c'] }

/** Rows as `line cells` or `line: problem`, or the problem of the file. The bytes come in pieces. */
const readAll = async (file: string | Buffer, pieceBytes = 7): Promise<string[] | string> => {
  const bytes = Buffer.from(file)
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const read: string[] = []
  try {
    for await (const rows of readCsv(pieces(), COLUMNS)) {
      for (const row of rows) {
        read.push('cells' in row ? `${row.line} ${Object.values(row.cells).join('|')}` : `${row.line}: ${row.problem}`)
      }
    }
    return read
  } catch (error) {
    if (error instanceof UnreadableCsv) return error.message
    throw error
  }
}

const CELLS = 'The row has more or fewer cells than the header'

it.each<[string, string | Buffer, string[] | string]>([
  ['lines that end with LF', 'a,b\n1,2\n3,4\n', ['2 1|2', '3 3|4']],
  ['lines that end with CRLF, and the last without', 'a,b\r\n1,2\r\n3,4', ['2 1|2', '3 3|4']],
  ['lines of which each has its own ending', 'a,b\n1,2\r\n3,4\r5,6\r\n\n7,8', ['2 1|2', '3 3|4', '4 5|6', '6 7|8']],
  ['lines that end with LF below a header that ends with CRLF', 'a,b\r\n1,2\n3,4\n', ['2 1|2', '3 3|4']],
  ['a quoted cell that keeps its CRLF', 'a,b\n"1\r\n2",3\r\n', ['2 1\r\n2|3']],
  [
    'the right lines below quoted CRLFs, in cells that are ignored and in wrong rows too',
    'a,b,"z\r\nz"\r\n"1\r\n\r\n1",2,3\r\n4,5,"6\r\n6"\r\n"7\r\n7"\r\n\r\n8,9,0\r\n',
    ['3 1\r\n\r\n1|2', '6 4|5', `8: ${CELLS}`, '11 8|9'],
  ],
  ['a byte order mark', '\ufeffa,b\n1,2\n', ['2 1|2']],
  ['columns in any order, with spaces around their names', 'b, a \n1,2\n', ['2 1|2']],
  ['unknown columns', 'a,b,z\n1,2,3\n', ['2 1|2']],
  ['quoted cells with commas, quotes and line feeds', 'a,b\n"1,""x""","2\n3"\n4,5\n', ['2 1,"x"|2\n3', '4 4|5']],
  ['letters that pieces cut apart', 'a,b\nż€😀,ü\n', ['2 ż€😀|ü']],
  ['a short and a long row', 'a,b\n1\n1,2,3\n4,5\n', [`2: ${CELLS}`, `3: ${CELLS}`, '4 4|5']],
  ['a quote inside a cell', 'a,b\n1"x,2\n3,4\n', 'Line 2: A cell with quotes must begin with one'],
  ['text after a closing quote', 'a,b\n"1"x,2\n3,4\n', 'Line 2: A closing quote must end its cell'],
  ['empty lines', '\n\na,b\n\n1,2\n\n\n"3\n4",5\n\n6\n\n7,8\n\n', ['5 1|2', '8 3\n4|5', `11: ${CELLS}`, '13 7|8']],
  ['a header of two lines', 'a,b,"z\nz"\n1,2,3\n', ['3 1|2']],
  ['a header alone', 'a,b\n', []],
  ['no header', '', 'The file is empty'],
  ['a header without a column', 'a;b\n1;2\n', 'The header lacks a, b'],
  ['a header with a column twice', 'a,b,a\n1,2,3\n', 'The header has a twice'],
  ['a quote that is not closed', 'a,b\r\n1,2\r\n3,"4\r\n5,6\r\n', 'Line 3: A quote is not closed'],
  ['Latin-1', Buffer.from('a,b\nZo\xeb,2\n', 'latin1'), 'The file must be UTF-8'],
  ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'The file must be UTF-8'],
  ['a letter that the end cuts off', Buffer.from('a,b\n1,é').subarray(0, -1), 'The file must be UTF-8'],
])('reads %s', async (_name, file, expected) => {
  for (const pieceBytes of [1, 7, 1_000]) expect(await readAll(file, pieceBytes)).toEqual(expected)
})

it('stops at a row that does not end, without keeping the rest of the file in memory', async () => {
  expect(await readAll(`a,b\n1,"${'x\n'.repeat(100_000)}`, 10_000)).toMatch(
    /^Line \d+: A row is longer than 65536 bytes/,
  )
})
