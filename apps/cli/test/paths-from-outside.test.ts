/**
 * Paths are made by one function of typed parts (walls 1): a source that joins anything else is listed here with its
 * reason.
 */
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import jsTokens from 'js-tokens'
import { expect, test } from 'vitest'

const root = new URL('../../..', import.meta.url).pathname

/** Sources that import these from `node:path`, with what they join to a folder. */
const importsPath = /import (?:\{[^}]*\b(?:join|resolve)\b[^}]*\}|\* as \w+|\w+) from 'node:path'/

/** Names that stand for constants of the service: no caller chooses them. */
const constant = /^(?:\w+Name|\w*[fF]older|attachmentFolder|rescued|'[^']*')$/

/** The arguments of each call of `join` or `resolve` in a source, except the first. */
function joinedIn(source: string): string[] {
  const joined: string[] = []
  const tokens = [...jsTokens(source)].filter(({ type }) => !/WhiteSpace|LineTerminator|Comment/.test(type))
  for (const [at, { value }] of tokens.entries()) {
    const isCall =
      (value === 'join' || value === 'resolve') && tokens[at + 1]?.value === '(' && tokens[at - 1]?.value !== '.'
    if (!isCall) continue
    let depth = 0
    let argument = ''
    const found: string[] = []
    for (const token of tokens.slice(at + 1)) {
      if ('([{'.includes(token.value)) depth++
      if (')]}'.includes(token.value)) depth--
      if (depth === 0) break
      if (depth === 1 && token.value === ',') {
        found.push(argument)
        argument = ''
      } else if (!(depth === 1 && token.value === '(')) argument += token.value
    }
    found.push(argument)
    // Without the mark of a placeholder, which lint takes for a mistake in the strings below.
    joined.push(...found.slice(1).flatMap(text => (text === '' || constant.test(text) ? [] : text.replaceAll('$', ''))))
  }
  return joined
}

/** What is joined besides constants, by file, and why it cannot come from outside. */
const exceptions: Readonly<Record<string, readonly (readonly [joined: string, why: string])[]>> = {
  'apps/cli/src/frame/on-path.ts': [['program+ending', 'tables of the source']],
  'apps/cli/src/credential-findings.ts': [['file', 'from a list of the source']],
  'apps/cli/src/people-findings.ts': [['client_secret_file', 'named by the operator']],
  'apps/cli/src/sign-in-file.ts': [['client_secret_file', 'a file that the operator names in the settings']],
  'apps/cli/src/git/git.ts': [['path', 'a path that git itself says']],
  'apps/cli/src/git/hooks.ts': [
    ['name', 'from a table of the source'],
    ['path', 'a path that git itself says'],
  ],
  'apps/cli/src/git/queue.ts': [['`sent-{repository}.json`', 'the id of a repository, as the service answered it']],
  'apps/cli/src/git/repository.ts': [['remote', 'a path that git itself says; only named, never opened']],
  'apps/cli/src/exchange.ts': [
    ['`{name}.zip`', 'the base name of a folder that the user names, in a new folder'],
    ['entry.name', 'listed by the system'],
    ['path', 'listed by the system'],
  ],
  'apps/cli/src/hook/state.ts': [
    ['`down-{inName(url)}`', 'percent-encoded, behind a prefix'],
    ['`session-{inName(session)}.json`', 'percent-encoded, behind a prefix'],
    ['`spoke-{client}`', 'one of the known clients'],
  ],
  'apps/cli/src/hook/work-tree.ts': [
    ['basename(absolute)', 'of a path that is only compared'],
    ['common', 'where git says its common directory is'],
    ['file', 'only compared, never opened'],
    ['ref', 'a branch of HEAD, without ..'],
    ['to.trim()', 'where git says its directory is'],
  ],
  'apps/cli/src/init/clients-there.ts': [
    ['clientFiles[client]', 'a table of the source'],
    ['folders[client]', 'a table of the source'],
  ],
  'apps/cli/src/init/project-files.ts': [
    ['path', 'from a table of the source'],
    ['part', 'of a path from a table of the source'],
  ],
  'apps/cli/src/init/skill-files.ts': [['skill', 'a folder of the package, listed by the system']],
  'apps/cli/src/plugin/mcp-program.ts': [['`{name}.json`', 'a hash']],
  'apps/mcp/src/stdio/local-files.ts': [['`.{basename(target)}.{randomUUID()}`', 'beside a path that was checked']],
  'apps/mcp/src/stdio/folder-bounds.ts': [['basename(path)', 'of a path that is being checked']],
  'apps/web/node/packed.ts': [['build', 'of the build']],
  'apps/web/node/publish.ts': [['entry.name', 'listed by the system']],
  'apps/web/node/site.ts': [['entry.name', 'listed by the system']],
  'apps/web/node/sources.ts': [
    ['entry.name', 'listed by the system'],
    ["hash.digest('hex').slice(0,16)", 'a hash'],
    ['part', 'from a list of the source'],
  ],
  'apps/web/node/take-place.ts': [['name', 'of the build']],
  'packages/domain/src/delivery/attachments/files/folder-files.ts': [['entry.name', 'listed by the system']],
  'packages/domain/src/delivery/attachments/files/s3-address.ts': [['bucket', 'a setting of the operator']],
  'packages/domain/src/exchange/archive/spool-thread.ts': [
    ['files.agents', 'a constant'],
    ['name', 'one of the constants of the layout'],
  ],
  'packages/domain/src/workspace/events/archiving/file.ts': [
    ['board', 'the id of a board in the database'],
    ['name', 'of a month and two numbers'],
  ],
  'packages/domain/src/workspace/backups/backup.ts': [['backupName(at)', 'a time']],
  'packages/domain/src/workspace/backups/files.ts': [['name', 'listed by the system, of one form']],
  'packages/domain/src/workspace/backups/mounted-folder.ts': [
    ['aside', 'a time, behind a prefix'],
    ['name', 'listed by the system'],
    ['nextNote', 'a constant'],
    ['note.aside!', 'of one form, which was checked'],
    ['note.part', 'of one form, which was checked'],
  ],
  'packages/domain/src/workspace/backups/restore.ts': [['aside', 'of one form, beside the data folder']],
  'packages/storage/src/backups.ts': [['name', 'listed by the system']],
  'packages/storage/src/database.ts': [['`before-{firstPending}.db`', 'the name of a migration']],
  'packages/storage/src/duplicate.ts': [['name', 'listed by the system']],
  'packages/storage/src/first-start.ts': [
    ['log', 'a constant'],
    ['name', 'from a list of constants'],
  ],
  'packages/storage/src/folder-rights.ts': [['path', 'listed by the system']],
  'packages/storage/src/safe-path.ts': [
    ['...parts', 'typed parts'],
    ['basename(path)', 'of a path that is being checked'],
    ['leads', 'of a path that is being checked'],
    ['path', 'of a path that is being checked'],
  ],
  'packages/storage/src/rescue.ts': [['number===1?rescuedName:`{rescuedName}-{number}`', 'constants and a number']],
}

test('no source joins what comes from outside', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'apps/{cli,http,mcp}/src/**/*.ts', 'apps/web/node/**/*.ts'], {
    cwd: root,
  })
  const found = files
    .filter(file => !/\.(?:test|testing)\.ts$/.test(file))
    .flatMap(file => {
      const source = readFileSync(`${root}/${file}`, 'utf8')
      const name = file.replaceAll(sep, '/')
      return importsPath.test(source) ? joinedIn(source).map(joined => `${name}: ${joined}`) : []
    })
  const expected = Object.entries(exceptions).flatMap(([file, of]) => of.map(([joined]) => `${file}: ${joined}`))
  expect([...new Set(found)].toSorted()).toEqual(expected.toSorted())
})
