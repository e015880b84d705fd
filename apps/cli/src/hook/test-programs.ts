/** Which programs run tests, and which only start another program (harness 3.4). Pure. */

/** Flags of a program that take a value in the next word. */
type ValueFlags = readonly string[]

/** Programs that start another program, with their flags that take a value, and the number of words before it. */
const starters: Readonly<
  Record<string, { readonly valued?: ValueFlags; readonly skip?: number; readonly verbs?: ValueFlags }>
> = {
  command: {},
  'cross-env': {},
  dotenv: { valued: ['-e', '-f', '-c'] },
  env: { valued: ['-u', '--unset', '-C', '--chdir'] },
  exec: {},
  ionice: { valued: ['-c', '-n'] },
  nice: { valued: ['-n', '--adjustment'] },
  nohup: {},
  npx: { valued: ['-p', '--package', '-w', '--workspace'] },
  bunx: {},
  pnpx: {},
  stdbuf: { valued: ['-i', '-o', '-e'] },
  sudo: { valued: ['-u', '-g'] },
  time: { valued: ['-f', '-o'] },
  timeout: { valued: ['-s', '--signal', '-k', '--kill-after'], skip: 1 },
  uvx: { valued: ['--from', '--with', '-p', '--python'] },
  'xvfb-run': { valued: ['-n', '-s', '-f'] },
  npm: { verbs: ['exec', 'x'], valued: ['-w', '--workspace', '--prefix', '-C', '-p', '--package'] },
  pnpm: { verbs: ['exec', 'dlx'], valued: ['-C', '--dir', '-F', '--filter', '-w', '--workspace'] },
  yarn: { verbs: ['exec', 'dlx', 'run'], valued: ['--cwd', '-p', '--package'] },
  bun: { verbs: ['x'], valued: ['--cwd'] },
  corepack: { verbs: ['npm', 'pnpm', 'yarn'] },
  uv: {
    verbs: ['run'],
    valued: ['--with', '--python', '-p', '--project', '--directory', '--extra', '--group', '--env-file'],
  },
  poetry: { verbs: ['run'], valued: ['-C', '--directory', '-P', '--project'] },
  pipenv: { verbs: ['run'] },
  pdm: { verbs: ['run'], valued: ['-p', '--project'] },
  hatch: { verbs: ['run'], valued: ['-e', '--env'] },
  rye: { verbs: ['run'] },
  mise: { verbs: ['exec', 'x'], valued: ['-C', '--cd'] },
  direnv: { verbs: ['exec'], skip: 1 },
  bundle: { verbs: ['exec'] },
  docker: {
    verbs: ['exec', 'run', 'compose'],
    valued: [
      '-e',
      '--env',
      '-u',
      '--user',
      '-w',
      '--workdir',
      '-f',
      '--file',
      '-p',
      '--project-name',
      '-v',
      '--volume',
      '--name',
      '--network',
      '--env-file',
      '--entrypoint',
    ],
    skip: 1,
  },
  'docker-compose': {
    verbs: ['exec', 'run'],
    valued: ['-e', '--env', '-u', '--user', '-w', '--workdir', '-f', '--file', '-p', '--project-name'],
    skip: 1,
  },
  podman: {
    verbs: ['exec', 'run'],
    valued: ['-e', '--env', '-u', '--user', '-w', '--workdir', '-v', '--volume'],
    skip: 1,
  },
}

/** Arguments with which a program only shows what it would do, or information about itself. */
const showing: ReadonlySet<string> = new Set([
  '--help',
  '-h',
  '--version',
  '--collect-only',
  '--listTests',
  '--no-run',
  '--dry-run',
])

/** Package managers and their flags before the verb that take a value. */
const managers: Readonly<Record<string, ValueFlags>> = {
  npm: ['-w', '--workspace', '--prefix', '-C'],
  pnpm: ['-C', '--dir', '-F', '--filter', '--workspace-concurrency'],
  yarn: ['--cwd'],
  bun: ['--cwd', '--filter'],
}

const isTestName = (name: string): boolean => /^test(?:[:._-].*)?$/.test(name)

/** Test programs by their first argument that is not a flag; true if the program without arguments runs tests. */
const verbsOf: Readonly<Record<string, true | readonly string[]>> = {
  vitest: true,
  jest: true,
  mocha: true,
  ava: true,
  pytest: true,
  'py.test': true,
  tox: true,
  nox: true,
  ctest: true,
  rspec: true,
  phpunit: true,
  bats: true,
  playwright: ['test'],
  cargo: ['test', 't', 'nextest'],
  dotnet: ['test'],
  rake: ['test', 'spec'],
  mix: ['test'],
  swift: ['test'],
  deno: ['test'],
}

/** Arguments with which those programs do something other than run tests. */
const notRunning: Readonly<Record<string, readonly string[]>> = {
  vitest: ['list', 'init'],
  cargo: ['list'],
}

/** Programs with target names, any of which may be the tests. */
const targetsOf: Readonly<Record<string, readonly string[]>> = {
  make: ['test', 'tests', 'check'],
  gmake: ['test', 'tests', 'check'],
  mvn: ['test', 'verify', 'integration-test'],
  mvnw: ['test', 'verify', 'integration-test'],
  gradle: ['test', 'check'],
  gradlew: ['test', 'check'],
}

/** The program in a word, without its folder and its Windows extension. */
export const programOf = (word: string): string =>
  word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.(?:cmd|exe|bat|ps1)$/i, '')

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*\+?=/.test(word)

const isFlag = (word: string): boolean => word.startsWith('-') || word.startsWith('+')

/** Removes leading flags, with the values of those that take one. */
function withoutFlags(words: readonly string[], valued: ValueFlags = []): readonly string[] {
  let at = 0
  while (at < words.length && isFlag(words[at]!)) {
    const flag = words[at++]!
    if (flag === '--') break
    if (valued.includes(flag)) at++
  }
  return words.slice(at)
}

const withoutAssignments = (words: readonly string[]): readonly string[] => {
  const first = words.findIndex(word => !isAssignment(word))
  return first === -1 ? [] : words.slice(first)
}

/** A command without the programs that only start another one. */
export function startedBy(words: readonly string[]): {
  readonly words: readonly string[]
  readonly mayTimeOut: boolean
} {
  let rest = withoutAssignments(words)
  let mayTimeOut = false
  // Each round removes a word.
  for (;;) {
    const name = programOf(rest[0] ?? '')
    const next = Object.hasOwn(starters, name) ? startedWith(name, rest.slice(1)) : undefined
    if (next === undefined || next.length === 0) return { words: rest, mayTimeOut }
    mayTimeOut ||= name === 'timeout'
    rest = withoutAssignments(next)
  }
}

/** The command that a starter starts; undefined if it does something else. */
function startedWith(name: string, words: readonly string[]): readonly string[] | undefined {
  const { verbs, valued = [], skip = 0 } = starters[name]!
  let rest = withoutFlags(words, valued)
  if (verbs !== undefined) {
    if (!verbs.includes(rest[0] ?? '')) return undefined
    // After corepack, a package manager is a program like any other.
    if (name === 'corepack') return rest
    // A name run by yarn is first of all a script.
    if (name === 'yarn' && rest[0] === 'run' && isTestName(rest[1] ?? '')) return undefined
    const isCompose = rest[0] === 'compose'
    rest = withoutFlags(rest.slice(1), valued)
    if (isCompose) {
      if (!['exec', 'run'].includes(rest[0] ?? '')) return undefined
      rest = withoutFlags(rest.slice(1), valued)
    }
  }
  return withoutFlags(name === 'env' ? withoutAssignments(rest) : rest.slice(skip), name === 'env' ? valued : [])
}

/** Whether a program with its arguments runs tests. */
export function runsTests(words: readonly string[]): boolean {
  const [first = '', ...args] = words
  const name = programOf(first)
  // Arguments after `--` are for the script.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.some(word => showing.has(word))) return false
  if (Object.hasOwn(managers, name)) return managerRunsTests(name, withoutFlags(args, managers[name]))
  if (/^(?:python|python\d(?:\.\d+)?|py)$/.test(name))
    return moduleOf(args).some(each => ['pytest', 'unittest'].includes(each))
  if (name === 'node') return nodeTests(args)
  if (name === 'go') return withoutFlags(args, ['-C'])[0] === 'test'
  if (Object.hasOwn(targetsOf, name))
    return own.some(word => !isFlag(word) && targetsOf[name]!.includes(word.slice(word.lastIndexOf(':') + 1)))
  if (!Object.hasOwn(verbsOf, name)) return false
  const verbs = verbsOf[name]!
  const [verb = ''] = withoutFlags(args)
  const second = withoutFlags(args)[1] ?? ''
  if (notRunning[name]?.some(each => each === verb || (verb === 'nextest' && each === second))) return false
  return verbs === true || verbs.includes(verb)
}

function managerRunsTests(name: string, words: readonly string[]): boolean {
  const [verb = '', ...rest] = words
  if (verb === 'run' || verb === 'run-script') return isTestName(withoutFlags(rest)[0] ?? '')
  if (verb === 'test' || (name === 'npm' && ['t', 'tst'].includes(verb))) return true
  // A package of a workspace, followed by its script.
  if (name === 'yarn' && verb === 'workspace') return managerRunsTests(name, rest.slice(1))
  if (name === 'pnpm' && verb === 'recursive') return managerRunsTests(name, withoutFlags(rest))
  return name !== 'npm' && isTestName(verb)
}

/** The module that Python runs. */
function moduleOf(args: readonly string[]): readonly string[] {
  const at = args.indexOf('-m')
  return at === -1 || args.slice(0, at).some(word => !isFlag(word)) ? [] : args.slice(at + 1, at + 2)
}

/** Node's own test runner: its flag comes before any script. */
function nodeTests(args: readonly string[]): boolean {
  const script = args.findIndex(word => !isFlag(word))
  return args.slice(0, script === -1 ? args.length : script).some(word => word === '--test')
}
