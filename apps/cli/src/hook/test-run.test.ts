import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCommandLine } from './shell-command.ts'
import { fits, testRunIn } from './test-run.ts'

describe('what looks like a test run (harness 3.4)', () => {
  test.each([
    'npm test',
    'npm t',
    'npm run test:unit -- --grep x',
    'npm --prefix web test',
    'pnpm -r --filter @a/b test',
    'pnpm test:all',
    'yarn test',
    'yarn workspace web test',
    'yarn run test',
    'bun test',
    'npx vitest run',
    'npx -y pnpm@12 exec vitest'.replace('npx -y pnpm@12', 'pnpm'),
    './node_modules/.bin/jest --ci',
    'playwright test',
    'pnpm exec playwright test a.spec.ts',
    'node --test',
    'node --import tsx --test'.replace('--import tsx ', '--enable-source-maps '),
    'pytest -q tests',
    'uv run --with x pytest',
    'poetry run python -m pytest',
    'python3.12 -m unittest discover',
    'tox -e py',
    'go test ./...',
    'go -C server test ./...',
    'cargo test --workspace',
    'cargo +nightly nextest run',
    './mvnw -q verify',
    './gradlew :app:test',
    'dotnet test',
    'ctest --output-on-failure',
    'make -j4 test',
    'bundle exec rspec',
    'rake test',
    'vendor/bin/phpunit',
    'mix test',
    'swift test',
    'bats test',
    'deno test -A',
    'CI=1 FORCE_COLOR=0 npm test',
    'env -u HOME CI=1 npm test',
    'time npm test',
    'timeout 60 npm test',
    'docker compose exec -T app npm test',
    'docker exec -e CI=1 app pytest',
    'cd web && npm test',
    'npm ci; npm test',
    "bash -lc 'npm test'",
    'npm test > log 2>&1',
    'npm test 2>&1 <in',
    'set -o pipefail; npm test | tee log',
    'set -euo pipefail && npm test 2>&1 | tail -20',
    'npm test -- "$(cat names)"',
    'npm test # all of them',
  ])('%s counts', command => {
    expect(testRunIn(command)).toMatchObject({ counts: true })
  })

  test.each([
    'npm test || true',
    'false || npm test',
    'npm test; echo done',
    'npm test && echo done',
    'npm test | tail -20',
    'npm test &',
    'npm test & wait',
    'echo "$(npm test)"',
    'echo `npm test`',
    '! npm test',
    '(cd web && npm test)',
    'if true; then npm test; fi',
    'pytest; npm test',
    'npm test <<EOF\nx\nEOF',
    'npm test "open',
    'bash -c "npm test; true"',
    'bash -c "npm test $X"',
    'set +o pipefail; npm test | tee log',
    'npm test | tee log; set -o pipefail',
  ])('%s looks like one, its exit code is not known to be that of the tests', command => {
    expect(testRunIn(command)).toMatchObject({ counts: false })
  })

  test.each([
    '',
    'ls',
    'npm run build',
    'npm install jest',
    'echo npm test',
    'echo "npm test"',
    'grep -r "npm test" .',
    'git commit -m "npm test"',
    'vitest --help',
    'vitest list',
    'cargo test --no-run',
    'pytest --collect-only',
    'specboard prove PRO-1 -- npm test',
    'npx specboard prove PRO-1 -- npm test',
    'node scripts/run.js --test',
    'python script.py -m pytest',
    'docker build -t test .',
    'test -f package.json',
    'cat test',
  ])('%s is none', command => {
    expect(testRunIn(command)).toBeUndefined()
  })

  test('lines of hooks.tests add some, and take others out', () => {
    expect(testRunIn('./check.sh --fast', ['./check.sh'])).toMatchObject({ counts: true })
    expect(testRunIn('./check.sh.bak', ['./check.sh'])).toBeUndefined()
    expect(testRunIn('just unit web', ['just * web'])).toMatchObject({ counts: true })
    expect(testRunIn('npm test', ['!npm test'])).toBeUndefined()
    expect(testRunIn('npm run test:e2e', ['!npm run test:e2e'])).toBeUndefined()
    expect(testRunIn('npm test', ['!npm run *'])).toMatchObject({ counts: true })
    expect(fits('a b c', '*')).toBe(true)
    expect(fits('a bc', '*b')).toBe(false)
  })

  test('values that look like secrets are told', () => {
    expect(testRunIn('API_TOKEN=abc npm test --password=geheim')?.secrets).toEqual(['abc', 'geheim'])
  })
})

/** A shell script in place of the tests: it records that it ran, and exits with a given code. */
const tests = fc.constantFrom('npm test', 'CI=1 npm test', "npm 'test'")
const atom = fc.oneof(
  { weight: 3, arbitrary: tests },
  { weight: 2, arbitrary: fc.constantFrom('true', 'false', 'echo x', 'set -o pipefail') },
)
const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n')
const wrapped = fc
  .tuple(
    atom,
    fc.constantFrom<(inner: string) => string>(
      inner => inner,
      inner => `(${inner})`,
      inner => `echo "$(${inner})"`,
      inner => `! ${inner}`,
      inner => `{ ${inner}; }`,
      inner => `bash -c '${inner.replaceAll("'", '')}'`,
    ),
  )
  .map(([inner, wrap]) => wrap(inner))
const commandLines = fc
  .tuple(
    fc.oneof(atom, wrapped),
    fc.array(fc.tuple(joint, fc.oneof({ weight: 3, arbitrary: atom }, wrapped)), { maxLength: 4 }),
  )
  .map(([first, rest]) => first + rest.flat().join(''))

const hasBash = spawnSync('bash', ['-c', 'true']).status === 0

test.skipIf(!hasBash)('an exit code that counts is that of the tests, as a shell has it (harness 3.4)', () => {
  const lines = fc.sample(commandLines, { numRuns: 400, seed: 39 })
  const judged = lines.filter(line => testRunIn(line)?.counts)
  expect(judged.length).toBeGreaterThan(40)
  // One shell for all: each line runs with tests that pass and with tests that fail.
  const script = [
    'npm() { echo ran >> "$LOG"; return $CODE; }; export -f npm',
    ...judged.flatMap(line =>
      [0, 3].map(
        code =>
          `export CODE=${code} LOG=$(mktemp); bash -c ${quoted(line)} >/dev/null 2>&1; echo "$? $([ -s $LOG ] && echo ran)"; rm $LOG`,
      ),
    ),
  ].join('\n')
  const results = spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trimEnd().split('\n')
  for (const [index, line] of judged.entries()) {
    const [passing, failing] = [results[2 * index]!.split(' '), results[2 * index + 1]!.split(' ')]
    // If the line succeeds, the tests ran and passed; if the tests fail, the line fails.
    if (passing[0] === '0') expect([line, passing[1]]).toEqual([line, 'ran'])
    expect([line, failing[0]]).not.toEqual([line, '0'])
  }
})

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

test('any text is read, and in order', () => {
  const pieces = fc.constantFrom(
    ...'npm test|&;()<>$`"\'\\{}!# \n\t-=*'.split(''),
    '$(',
    '<<',
    '&&',
    '||',
    'npm test',
    'bash -c ',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), parts => {
      const text = parts.join('')
      for (const { words } of readCommandLine(text).commands)
        for (const { from, to } of words) expect(from <= to && to <= text.length).toBe(true)
      testRunIn(text)
    }),
    { numRuns: 2_000 },
  )
})

test.each(['(', '$(', '"$(', '`', "'", '${', 'a;', '<(', '\\', 'bash -c '])(
  'a megabyte of %j is read in linear time',
  unit => {
    testRunIn(unit.repeat(Math.ceil(1_000_000 / unit.length)))
  },
)
