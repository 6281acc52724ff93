// Handwritten code that turns the text of the statement's rows into the JSON of the query of record, without objects in between.
import { createHmac } from 'node:crypto'

/** Columns in the order of the statement, as Postgres sent them. */
export type TextRow = readonly (string | null)[]

type Write = (row: TextRow) => string

const quoted = (text: string) => (/["\\]|[^ -\uffff]/.test(text) ? JSON.stringify(text) : `"${text}"`)
const label = (text: string) => `"${text}"`
const number = (text: string) => text
const decimal = (text: string) => String(Number(text))
const time = (text: string) => `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z"`

/** The function that writes a page of rows with these columns. */
export const pageWriter = (names: readonly string[]): ((rows: readonly TextRow[], first: number) => string) => {
  const at = (name: string) => names.indexOf(name)

  const leaf = (name: string, write: (text: string) => string): Write => {
    const place = at(name)
    return (row) => {
      const text = row[place]
      return text === null || text === undefined ? 'null' : write(text)
    }
  }
  const text = (name: string) => leaf(name, quoted)
  const idOf = (kind: string, name: string) => leaf(name, (uuid) => `"${kind}:${uuid}"`)
  const money = (amountName: string, codeName: string): Write => {
    const [amount, code] = [at(amountName), at(codeName)]
    return (row) =>
      row[amount] === null || row[code] === null
        ? 'null'
        : `{"amount":${row[amount]},"currency":{"code":"${row[code]}"}}`
  }
  const members = (of: Readonly<Record<string, Write>>): Write => {
    const parts = Object.entries(of).map(
      ([key, write], index) => [`${index === 0 ? '' : ','}"${key}":`, write] as const,
    )
    return (row) => {
      let json = ''
      for (const [key, write] of parts) json += key + write(row)
      return json
    }
  }
  /** Null if none of the columns `when` has a value. */
  const object = (of: Readonly<Record<string, Write>>, ...when: string[]): Write => {
    const write = members(of)
    const places = when.map(at)
    return (row) => (places.length > 0 && places.every((place) => row[place] === null) ? 'null' : `{${write(row)}}`)
  }
  const byLabel = (name: string, cases: Readonly<Record<string, Write>>): Write => {
    const place = at(name)
    return (row) => cases[row[place] ?? '']?.(row) ?? 'null'
  }

  const account = (side: string): Write => {
    const internal = object({
      id: idOf('InternalAccount', `${side}_internal_account_id`),
      currency: object({ code: leaf(`${side}_internal_currency`, label) }),
      type: leaf(`${side}_internal_type`, label),
      balance: money(`${side}_internal_balance`, `${side}_internal_currency`),
    })
    const external = object({
      id: idOf('ExternalAccount', `${side}_external_account_id`),
      currency: object({ code: leaf(`${side}_external_currency`, label) }),
      accountInfo: object({ accountType: leaf(`${side}_external_type`, label) }),
    })
    const place = at(`${side}_internal_account_id`)
    return (row) => (row[place] === null ? external : internal)(row)
  }
  const shared = (kind: string, type: string, headline: Write) => ({
    __typename: () => `"${type}"`,
    id: idOf(kind, 'id'),
    status: leaf('status', label),
    direction: leaf('direction', label),
    createdAt: leaf('created_at', time),
    amount: headline,
    customer: object({ id: idOf('Customer', 'customer_id'), name: text('customer_name') }, 'customer_id'),
  })
  const payment = (type: string, headline: Write) => ({
    ...shared('Transaction', type, headline),
    description: text('description'),
    settledAt: leaf('settled_at', time),
    fees: leaf('fees', number),
    exchangeRate: leaf('exchange_rate', decimal),
    source: byLabel('source_type', {
      ACCOUNT: object({ account: account('source') }),
      UMA_ADDRESS: object({ umaAddress: text('source_uma_address') }),
      REALTIME_FUNDING: object({ currency: leaf('source_currency', label) }),
    }),
    destination: byLabel('destination_type', {
      ACCOUNT: object({ account: account('destination') }),
      UMA_ADDRESS: object({ umaAddress: text('destination_uma_address') }),
    }),
    agent: object({ id: idOf('Agent', 'agent_id'), name: text('agent_name') }, 'agent_id'),
  })
  const [sent, received] = [money('sent_amount', 'sent_currency'), money('received_amount', 'received_currency')]
  const [fromAccount, toAccount, sourceAt] = [
    account('source'),
    account('destination'),
    at('source_internal_account_id'),
  ]
  const node = byLabel('type', {
    INCOMING: object({
      ...payment('IncomingTransaction', received),
      receivedAmount: received,
      reconciliationInstructions: object(
        { reference: text('reconciliation_reference'), transactionHash: text('reconciliation_transaction_hash') },
        'reconciliation_reference',
        'reconciliation_transaction_hash',
      ),
      incomingFailureReason: leaf('failure_reason', label),
    }),
    OUTGOING: object({
      ...payment('OutgoingTransaction', sent),
      sentAmount: sent,
      receivedAmount: received,
      platformFees: leaf('platform_fees', number),
      paymentRail: leaf('payment_rail', label),
      expectedSettlementAt: leaf('expected_settlement_at', time),
      outgoingFailureReason: leaf('failure_reason', label),
      refund: object({ reference: text('refund_reference'), status: leaf('refund_status', label) }, 'refund_reference'),
    }),
    CARD: object({
      ...shared('CardTransaction', 'CardTransaction', money('authorized_amount', 'card_currency')),
      merchant: object({
        descriptor: text('merchant_descriptor'),
        mcc: leaf('merchant_mcc', label),
        country: leaf('merchant_country', label),
      }),
      settledAmount: money('settled_amount', 'card_currency'),
      refundedAmount: money('refunded_amount', 'card_currency'),
      lastEventAt: leaf('last_event_at', time),
      settlementSummary: object(
        { count: leaf('settlement_count', number), totalAmount: leaf('settlement_total_amount', number) },
        'settlement_count',
      ),
      card: object({ id: idOf('Card', 'card_id'), brand: leaf('card_brand', label), last4: text('card_last4') }),
      account: (row) => (row[sourceAt] === null ? toAccount : fromAccount)(row),
    }),
  })

  const [idAt, createdAt] = [at('id'), at('created_at')]
  /** Signs cursors as the gateway does. */
  const cursor = (row: TextRow | undefined) => {
    if (!row) return 'null'
    const position = `${row[createdAt]} ${row[idAt]}`
    const mac = createHmac('sha256', 'secret').update(position).digest('base64url')
    return `"${Buffer.from(`${position} ${mac}`).toString('base64url')}"`
  }
  return (rows, first) => {
    const count = Math.min(rows.length, first)
    let nodes = ''
    for (let index = 0; index < count; index += 1) nodes += (index === 0 ? '' : ',') + node(rows[index] as TextRow)
    return `{"data":{"transactions":{"nodes":[${nodes}],"pageInfo":{"hasNextPage":${rows.length > first},"hasPreviousPage":false,"startCursor":${cursor(rows[0])},"endCursor":${cursor(rows[count - 1])}}}}}`
  }
}
