/** Whether a command looks like a test run, and whether its exit code is that of the tests (harness 3.4). Pure. */
import { type CommandLine, readCommandLine, type SimpleCommand } from './shell-command.ts'
import { programOf, runsTests, startedBy } from './test-programs.ts'

/** A command that looks like a test run. */
export interface TestRun {
  /** Whether the exit code of the command is that of the tests. */
  readonly counts: boolean
  /** Whether the command may stop the tests: exit code 124 then means a timeout. */
  readonly mayTimeOut: boolean
  /** The values of variables in the command whose names suggest secrets. */
  readonly secrets: readonly string[]
}

const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i

/** Shell words that a command follows. */
const before: ReadonlySet<string> = new Set(['!', '{', 'do', 'elif', 'else', 'if', 'then', 'until', 'while'])

/** How deep shells may be nested. */
const deepest = 3

/**
 * The test run in a command; undefined if there is none.
 * @param patterns further test runs, and with `!` commands that are not, from `hooks.tests` in the project's file
 */
export function testRunIn(command: string, patterns: readonly string[] = []): TestRun | undefined {
  const names = {
    tests: patterns.filter(each => !each.startsWith('!')),
    none: patterns.filter(each => each.startsWith('!')).map(each => each.slice(1)),
  }
  return runIn(command, names, 0)
}

interface TestNames {
  readonly tests: readonly string[]
  readonly none: readonly string[]
}

function runIn(text: string, names: TestNames, depth: number): TestRun | undefined {
  const line = readCommandLine(text)
  const runs = line.commands.map(command => testRunOf(command, names, depth))
  const last = runs.findLastIndex(each => each !== undefined)
  if (last === -1) return undefined
  return {
    counts:
      runs.every(each => each === undefined || each.counts) &&
      isOfTests(
        line,
        runs.map(each => each !== undefined),
      ),
    mayTimeOut: runs.some(each => each?.mayTimeOut),
    secrets: [...secretsIn(line), ...runs.flatMap(each => each?.secrets ?? [])],
  }
}

/** A simple command as a test run; for a shell with a command text, the text is examined. */
function testRunOf({ words }: SimpleCommand, names: TestNames, depth: number): TestRun | undefined {
  const first = words.findIndex(({ text }) => !before.has(text))
  const texts = words.slice(Math.max(first, 0)).map(({ text }) => text)
  const { words: started, mayTimeOut } = startedBy(texts)
  const [program = '', ...args] = started
  if (programOf(program) === 'specboard' || program === '') return undefined
  const flag = args.findIndex(word => /^-[a-z]*c$/.test(word))
  if (/^(?:ba|z|da|k)?sh$/.test(programOf(program)) && flag !== -1 && depth < deepest) {
    const inner = runIn(args[flag + 1] ?? '', names, depth + 1)
    const isText = words.find(({ text }) => text === args[flag + 1])?.isPlain ?? false
    // With `-e` and the like the inner shell may end before the tests.
    const isUsual = args.slice(0, flag).length === 0 && ['-c', '-lc'].includes(args[flag]!)
    return inner === undefined
      ? undefined
      : { ...inner, counts: inner.counts && isText && isUsual, mayTimeOut: inner.mayTimeOut || mayTimeOut }
  }
  const whole = started.join(' ')
  if (names.none.some(pattern => fits(whole, pattern))) return undefined
  if (!runsTests(started) && !names.tests.some(pattern => fits(whole, pattern))) return undefined
  return { counts: true, mayTimeOut, secrets: [] }
}

/** Whether the exit code of a line is that of its tests, given which of its commands run some. */
function isOfTests({ commands, isPlain, end }: CommandLine, areTests: readonly boolean[]): boolean {
  const joints = commands.map(({ after }) => after)
  if (!isPlain || end === '&' || end === '|' || end === '||' || end === '&&') return false
  if (joints.some((joint, index) => joint === '&' || (joint === 'inside' && areTests[index]))) return false
  const outer = commands.flatMap((command, index) =>
    command.after === 'inside' ? [] : [{ command, isTest: areTests[index]! }],
  )
  const lastList = outer.findLastIndex(({ command }) => command.after === ';' || command.after === 'start')
  // Nobody sees how a test run before a `;` ended.
  if (outer.slice(0, lastList).some(({ isTest }) => isTest)) return false
  const list = outer.slice(lastList)
  if (list.some(({ command }) => command.after === '||')) return false
  const pipeline = list.slice(list.findLastIndex(({ command }) => command.after !== '|'))
  if (!pipeline.some(({ isTest }) => isTest)) return false
  const isPiped = list.some(({ command }) => command.after === '|')
  return (
    !isPiped ||
    failsWithPipes(
      outer.map(({ command }) => command),
      lastList,
    )
  )
}

/** Whether `set -o pipefail` runs before the first pipe, and nothing undoes it. */
function failsWithPipes(commands: readonly SimpleCommand[], lastList: number): boolean {
  const pipe = commands.findIndex(({ after }) => after === '|')
  const sets = commands.slice(0, Math.max(pipe - 1, 0)).flatMap(({ words, after }, index) => {
    const [first, ...rest] = words.map(({ text }) => text)
    const at = rest.findIndex(text => /^[-+][a-z]*o$/.test(text))
    if (first !== 'set' || rest[at + 1] !== 'pipefail') return []
    // After `&&` it may be skipped, except in the list of the tests, which then ends.
    return [{ isOn: rest[at]!.startsWith('-'), isDone: index >= lastList || after === ';' || after === 'start' }]
  })
  return sets.some(({ isOn, isDone }) => isOn && isDone) && sets.every(({ isOn }) => isOn)
}

/** The values that a command line gives to variables whose names suggest secrets. */
const secretsIn = ({ commands }: CommandLine): string[] =>
  commands.flatMap(({ words }) =>
    words.flatMap(({ text }) => {
      const [, name, value] = /^(?:--?)?([A-Za-z_][\w-]*)=(.+)$/s.exec(text) ?? []
      return name !== undefined && secretName.test(name) ? [value!] : []
    }),
  )

/**
 * Whether a pattern matches a command: `*` is any characters, and the pattern must end at a word boundary (harness
 * 3.4). Linear in the command for each star.
 */
export function fits(command: string, pattern: string): boolean {
  const parts = pattern.trim().split(/\*+/)
  const [first = '', ...rest] = parts
  if (!command.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    if (part === '') {
      if (index === rest.length - 1) return true
      continue
    }
    let next = command.indexOf(part, at)
    // The last part has to end at a word boundary.
    while (index === rest.length - 1 && next !== -1 && !isBorder(command, next + part.length))
      next = command.indexOf(part, next + 1)
    if (next === -1) return false
    at = next + part.length
  }
  return isBorder(command, at)
}

const isBorder = (text: string, at: number): boolean => at === text.length || text[at] === ' '
