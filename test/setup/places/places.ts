// A place that takes an id or a string, and the callers who use it.
import { randomUUID } from 'node:crypto'
import type { Authorization, Reply } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import type { Crawled, CrawledName } from './crawled-platforms.ts'

export interface Asker {
  readonly authorization: Authorization
  /** The caller's own value of this kind; `at` selects one if its group has several. */
  readonly own: (name: CrawledName, at?: number) => string
  /** The caller's IP address, shared with nobody: public calls are limited by address. */
  readonly address: () => string
}

export type CallerKind = 'platform' | 'agent'

export interface Place {
  readonly name: string
  readonly callers: readonly CallerKind[]
  /** Takes nothing but ids. */
  readonly isId: boolean
  readonly isWrite?: boolean
  readonly takes: readonly CrawledName[]
  readonly ask: (by: Asker, value: string) => Promise<Reply>
}

/** A call in which all ids belong to the caller. */
export interface Call {
  readonly name: string
  readonly callers: readonly CallerKind[]
  readonly ask: (by: Asker) => Promise<Reply>
}

/** The platform with the rows of one of its groups, or that group's agent. */
export const callerOf = ({ platform, names, agents }: Crawled, kind: CallerKind, group: number): Asker => ({
  authorization: kind === 'platform' ? basic(platform) : (agents[group] ?? null),
  own: (name, at = 0) => {
    const all = names[name]
    const inGroup = Math.max(1, Math.floor(all.length / agents.length))
    return all[(group * inGroup + at) % all.length] ?? ''
  },
  address: randomUUID,
})
