// The screens of the dashboard, in the order of the navigation.
export interface Place {
  readonly name: string
  readonly path: string
  readonly icon: string
  /** Goes there after `g`. */
  readonly key: string
}

export const PLACES: readonly Place[] = [
  { name: 'Home', path: '/', icon: 'home', key: 'h' },
  { name: 'Payments', path: '/payments', icon: 'list', key: 'p' },
  { name: 'Approvals', path: '/approvals', icon: 'inbox', key: 'a' },
  { name: 'Cards', path: '/cards', icon: 'cardi', key: 'c' },
  { name: 'Customers', path: '/customers', icon: 'users', key: 'u' },
  { name: 'Wallet', path: '/wallet', icon: 'key', key: 'w' },
  { name: 'Developers', path: '/developers', icon: 'dev', key: 'd' },
]

/** Where an id of this kind is shown. */
export const pathOfId = (id: string): string | undefined => {
  const [kind = '', uuid = ''] = id.split(':')
  if (/^(Incoming|Outgoing|Card)?Transaction$/.test(kind)) return `/payments/${id}`
  if (kind === 'Customer') return `/customers/${id}`
  if (kind === 'Card') return `/cards/${id}`
  if (kind === 'AgentAction') return `/approvals/${id}`
  if (kind === 'InternalAccount') return `/payments?accountIdentifier=${encodeURIComponent(id)}`
  if (kind === 'Webhook' && uuid) return `/developers/events?id=${encodeURIComponent(id)}`
  return undefined
}
