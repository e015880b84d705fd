import type { Command, Option } from 'commander'

/** A verb with its flags, as scripts for shells and the manual page name it. */
export interface Verb {
  /** The words that call it, without `specboard`; none of the command line itself. */
  readonly words: readonly string[]
  readonly description: string
  readonly usage: string
  readonly flags: readonly Flag[]
  readonly verbs: readonly Verb[]
}

export interface Flag {
  /** Such as `--json`; with the short form before it where there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** What stands behind it, such as `<file>`; empty for a switch. */
  readonly value: string
}

/** The tree of verbs of a command line. */
export function verbTree(command: Command, words: readonly string[] = []): Verb {
  return {
    words,
    description: command.description(),
    usage: command.usage(),
    flags: command.options.map(flagFrom),
    verbs: command.commands.map(inner => verbTree(inner, [...words, inner.name()])),
  }
}

/** A verb and all those below it. */
export const withInner = (verb: Verb): Verb[] => [verb, ...verb.verbs.flatMap(withInner)]

/** Where the value of a flag begins: `<url>` of `--url <url>`; at its end without one. */
function valueAt(flags: string): number {
  const at = flags.search(/[<[]/)
  return at === -1 ? flags.length : at
}

const flagFrom = ({ short, long, flags, description }: Option): Flag => ({
  names: [short, long].filter(name => name !== undefined),
  description,
  value: flags.slice(valueAt(flags)),
})
