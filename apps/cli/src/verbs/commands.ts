import type { Command } from 'commander'
import type { Target, TargetFlags } from '../frame/target.ts'
import { withTarget } from '../frame/target-options.ts'
import type { AddFlags, BlockFlags, DoneFlags, LogFlags, ReadyFlags, TakeFlags, VerbFlags } from './verbs.ts'

/** What the verbs need from the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: (flags: TargetFlags) => Promise<Target>
}

/** Adds the verbs for people, and for agents without MCP (crew 10). */
export function addVerbs(specboard: Command, { exit, targetNow }: Frame): void {
  const load = () => import('./verbs.ts')
  const verb = (usage: string, description: string): Command =>
    withTarget(specboard.command(usage))
      .description(description)
      .option('--board <board>', 'id, key or name; else the board of .specboard.json')
      .option('--json', 'one JSON object')

  verb('add', 'Add a card and print its reference; without --spec it is a small change.')
    .argument('<title>')
    .option('--bug', 'a bug; needs --expected and --observed')
    .option('--expected <text>', 'what should happen')
    .option('--observed <text>', 'what happens')
    .option('--check <text>', 'how it will be checked')
    .option('--spec <ref>', 'the spec that it delivers')
    .option('--take', 'take and start it at once')
    .action(async (title: string, flags: AddFlags) =>
      exit(await (await load()).add(title, flags, await targetNow(flags))),
    )
  verb('ready', 'List the cards that you can take, one line each; those that you hold come first.')
    .option('--for <purpose>', 'start, continue or validation')
    .option('--wait <seconds>', 'wait this long for one')
    .action(async (flags: ReadyFlags) => exit(await (await load()).ready(flags, await targetNow(flags))))
  verb('take', 'Claim and start the next card, or the one that you name, and print what it needs.')
    .argument('[ref]')
    .option('--wait <seconds>', 'wait this long for one, at most 600')
    .action(async (ref: string | undefined, flags: TakeFlags) =>
      exit(await (await load()).take(ref, flags, await targetNow(flags))),
    )
  verb('show', 'Print a record, one of its parts or an item of a spec by its reference.')
    .argument('<ref>')
    .action(async (ref: string, flags: VerbFlags) =>
      exit(await (await load()).show(ref, flags, await targetNow(flags))),
    )
  verb('note', 'Save how far you are with a card that you hold; on another it is a comment.')
    .argument('<ref>')
    .argument('<text>')
    .action(async (ref: string, text: string, flags: VerbFlags) =>
      exit(await (await load()).note(ref, text, flags, await targetNow(flags))),
    )
  verb('ask', 'Ask a question about a record.')
    .argument('<ref>')
    .argument('<text>')
    .action(async (ref: string, text: string, flags: VerbFlags) =>
      exit(await (await load()).ask(ref, text, flags, await targetNow(flags))),
    )
  verb('answer', 'Answer a question, by its id or as REF.q1.')
    .argument('<question>')
    .argument('<text>')
    .action(async (question: string, text: string, flags: VerbFlags) =>
      exit(await (await load()).answer(question, text, flags, await targetNow(flags))),
    )
  verb('done', 'Finish a card with a conclusion; moves it to done, or to validation if required, and says which.')
    .argument('<ref>')
    .argument('<conclusion>')
    .option('--check <text>', 'how you checked it')
    .option('--completeness <percent>', 'how much of it is done')
    .option('--completeness-justification <text>')
    .option('--drift <percent>', 'how far it is from what was planned')
    .option('--drift-justification <text>')
    .action(async (ref: string, conclusion: string, flags: DoneFlags) =>
      exit(await (await load()).done(ref, conclusion, flags, await targetNow(flags))),
    )
  verb('block', 'Let a card wait for another one (--on), or put it on hold and say why.')
    .argument('<ref>')
    .argument('[text]')
    .option('--on <ref>', 'the card that it waits for')
    .action(async (ref: string, text: string | undefined, flags: BlockFlags) =>
      exit(await (await load()).block(ref, text, flags, await targetNow(flags))),
    )
  verb('log', 'Print the latest events of the board or of one record, one line each, newest first.')
    .argument('[ref]')
    .option('--since <time>', 'not before this time, such as 2030-01-02T03:04:05Z')
    .action(async (ref: string | undefined, flags: LogFlags) =>
      exit(await (await load()).log(ref, flags, await targetNow(flags))),
    )
}
