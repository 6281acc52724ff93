// A place where something can be named, and those who ask there.
import { randomUUID } from 'node:crypto'
import type { Authorization, Reply } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import type { Crawled, CrawledName } from './crawled-platforms.ts'

export interface Asker {
  readonly authorization: Authorization
  /** What it has itself under a name; `at` when its group has several. */
  readonly own: (name: CrawledName, at?: number) => string
  /** Of nobody else: what anybody may call is counted by address. */
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

/** A call with all of its ids those of the one who asks. */
export interface Call {
  readonly name: string
  readonly callers: readonly CallerKind[]
  readonly ask: (by: Asker) => Promise<Reply>
}

/** The platform with the rows of one of its groups, or the agent of that group. */
export const callerOf = ({ platform, names, agents }: Crawled, kind: CallerKind, group: number): Asker => ({
  authorization: kind === 'platform' ? basic(platform) : (agents[group] ?? null),
  own: (name, at = 0) => {
    const all = names[name]
    const inGroup = Math.max(1, Math.floor(all.length / agents.length))
    return all[(group * inGroup + at) % all.length] ?? ''
  },
  address: randomUUID,
})
