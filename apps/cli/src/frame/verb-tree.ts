import type { Command, Option } from 'commander'

/** A verb with its flags, for shell completion scripts and the manual page. */
export interface Verb {
  /** The words that call it, without `specboard`; empty for the command line itself. */
  readonly words: readonly string[]
  readonly description: string
  readonly usage: string
  readonly flags: readonly Flag[]
  readonly verbs: readonly Verb[]
}

export interface Flag {
  /** Such as `--json`; with the short form first if there is one. */
  readonly names: readonly string[]
  readonly description: string
  /** Its value, such as `<file>`; empty for a switch. */
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

/** Where the value of a flag begins: `<url>` in `--url <url>`; its end if there is none. */
function valueAt(flags: string): number {
  const at = flags.search(/[<[]/)
  return at === -1 ? flags.length : at
}

const flagFrom = ({ short, long, flags, description }: Option): Flag => ({
  names: [short, long].filter(name => name !== undefined),
  description,
  value: flags.slice(valueAt(flags)),
})
