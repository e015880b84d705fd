import { Command, CommanderError } from 'commander'
import type { BackupFlags, RestoreFlags } from './backup/commands.ts'
import { addCi } from './ci/add-ci.ts'
import type { DoctorFlags } from './doctor.ts'
import type { ExportFlags, ImportFlags } from './exchange.ts'
import { explain } from './explain.ts'
import { printJson } from './frame/output.ts'
import type { TargetFlags } from './frame/target.ts'
import { withTarget } from './frame/target-options.ts'
import { UsageError } from './frame/usage-error.ts'
import { type Verb, verbTree } from './frame/verb-tree.ts'
import { addGit } from './git/add-git.ts'
import type { InitFlags } from './init/init.ts'
import type { KeyFlags } from './keys.ts'
import { addLogin } from './login/add-login.ts'
import type { McpFlags } from './mcp.ts'
import type { MigrateFlags } from './migrate.ts'
import { addPaths } from './paths/add-paths.ts'
import type { PersonFlags } from './people.ts'
import type { ProveFlags } from './prove.ts'
import { addReport } from './report/add-report.ts'
import { SettingFlags } from './setting-flags.ts'
import type { Settings } from './settings.ts'
import type { StatusFlags } from './status.ts'
import { addVerbs } from './verbs/commands.ts'
import { version } from './version.ts'
import type { WatchFlags } from './watch.ts'

/** The exit code of a command; undefined counts as 0. */
type Code = number | undefined

/** The flags of a command line that are settings, by name. */
type Flags = Readonly<Partial<Record<string, string>>>

/** The settings that identify the database. */
const database = ['databaseUrl', 'databasePasswordFile'] as const

/** The settings that say how people reach the service. */
const addressSettings = ['host', 'port', 'basePath', 'publicUrl'] as const

/** The settings needed to open a service: its folder, its database, and the key of its secrets. */
const service = ['dataDir', ...database, 'secretKeyFile'] as const

/** The tree of all verbs, for shell completion scripts and the manual page. */
export async function allVerbs(): Promise<Verb> {
  const settings = new SettingFlags()
  const specboard = program(() => {}, settings)
  await settings.addAll()
  return verbTree(specboard)
}

function program(exit: (code: Code) => void, settings: SettingFlags): Command {
  const specboard = new Command('specboard')
    .description('Software delivery tracking made for AI coding agents.')
    .version(version, '-v, --version')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  specboard serve                             serve on http://127.0.0.1:8100, data in ~/.specboard
  specboard serve --port 0 --data-dir ./data  serve on a free port from a folder of your own
  specboard key create --name Codex --preset Executor
  SPECBOARD_API_KEY=dash_… specboard mcp      the tools over stdio, for an agent's MCP configuration
  specboard doctor                            check settings, folder and database`,
    )

  const settingsOf = async (command: Command): Promise<Settings> => {
    const { readSettings } = await import('./settings.ts')
    return readSettings(command.optsWithGlobals<Flags>(), process.env)
  }

  settings
    .of(specboard.command('serve'))
    .description('Serve HTTP and MCP until stopped; the default command.')
    .action(async (_flags, command: Command) => {
      const { serve } = await import('./serve.ts')
      exit(await serve(await settingsOf(command)))
    })

  const key = specboard.command('key').description('Create, list and revoke API keys; works while a server is running.')
  settings
    .of(key.command('create'), ['dataDir', ...database])
    .description('Create an agent and print its key once.')
    .requiredOption('--name <name>', 'the name of the agent')
    .option(
      '--preset <name>',
      'a built-in preset: Executor, Full Control, QA, Reporter, Spec, Sprint Manager, Validator',
      'Executor',
    )
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  specboard key create --name "Spec writer" --preset Spec')
    .action(async (flags: KeyFlags & { name: string; preset: string }, command: Command) => {
      const { createKey } = await import('./keys.ts')
      exit(await createKey(await settingsOf(command), flags))
    })
  settings
    .of(key.command('reset-owner'), ['dataDir', ...database])
    .description('Give the Local Owner a new key and print it once.')
    .option('--json', 'one JSON object')
    .action(async (flags: KeyFlags, command: Command) => {
      const { resetOwner } = await import('./keys.ts')
      exit(await resetOwner(await settingsOf(command), flags))
    })
  settings
    .of(key.command('list'), ['dataDir', ...database])
    .description('List who has a key, with the beginning of the key.')
    .option('--json', 'one JSON object')
    .action(async (flags: KeyFlags, command: Command) => {
      const { listKeys } = await import('./keys.ts')
      exit(await listKeys(await settingsOf(command), flags))
    })
  settings
    .of(key.command('revoke'), ['dataDir', ...database])
    .description('Revoke the key of an agent, from its next request on; the agent stays.')
    .argument('<agent>', 'its id, its name or the beginning of its key')
    .option('--json', 'one JSON object')
    .action(async (agent: string, flags: KeyFlags, command: Command) => {
      const { revoke } = await import('./keys.ts')
      exit(await revoke(await settingsOf(command), agent, flags))
    })

  const person = specboard
    .command('person')
    .description('Add people, link them to this machine, list them; works while a server is running.')
  settings
    .of(person.command('add'), ['dataDir', ...database, ...addressSettings])
    .description('Create a person and print a one-time sign-in link.')
    .argument('<name>')
    .option('--email <address>', 'its e-mail address')
    .option('--preset <name>', 'a built-in preset', 'Reporter')
    .option('--json', 'one JSON object')
    .action(async (name: string, flags: PersonFlags & { email?: string; preset: string }, command: Command) => {
      const { addPersonByHand } = await import('./people.ts')
      exit(await addPersonByHand(await settingsOf(command), name, flags))
    })
  settings
    .of(person.command('link'), ['dataDir', ...database, ...addressSettings])
    .description('Print a one-time sign-in link for a person, valid for 10 minutes.')
    .argument('<person>', 'its id, handle, e-mail address or name')
    .option('--json', 'one JSON object')
    .action(async (identifier: string, flags: PersonFlags, command: Command) => {
      const { linkPersonByHand } = await import('./people.ts')
      exit(await linkPersonByHand(await settingsOf(command), identifier, flags))
    })
  settings
    .of(person.command('list'), ['dataDir', ...database])
    .description('List the people.')
    .option('--json', 'one JSON object')
    .action(async (flags: PersonFlags, command: Command) => {
      const { listPersonsByHand } = await import('./people.ts')
      exit(await listPersonsByHand(await settingsOf(command), flags))
    })

  const client = specboard
    .command('oauth')
    .description('Register clients over MCP by hand; works while a server is running.')
    .command('client')
    .description('Clients that connect over MCP.')
  settings
    .of(client.command('add'), [...service])
    .description('Register a client and print its id and secret once.')
    .argument('<name>')
    .requiredOption('--redirect <uri...>', 'where its answers go, 1 to 10 addresses')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      '\nExample:\n  specboard oauth client add Claude --redirect https://claude.ai/api/mcp/auth_callback',
    )
    .action(async (name: string, flags: PersonFlags & { redirect: string[] }, command: Command) => {
      const { addClient } = await import('./people.ts')
      exit(await addClient(await settingsOf(command), name, flags))
    })

  settings
    .of(specboard.command('open'), [...service, ...addressSettings])
    .description('Open the board in a browser, signed in as the Local Owner; works while a server is running.')
    .option('--url <address>', 'the running server, if the settings do not name it')
    .option('--print', 'only print the link, which works once, for 10 minutes')
    .option('--json', 'one JSON object')
    .action(async (flags: { url?: string; print?: boolean; json?: boolean }, command: Command) => {
      const { open } = await import('./open.ts')
      exit(await open(await settingsOf(command), flags))
    })

  settings
    .of(specboard.command('mcp'), [...service, 'logLevel'])
    .description('Serve MCP on stdin and stdout, with the saved key or the one in SPECBOARD_API_KEY.')
    .option('--url <address>', 'the running server [SPECBOARD_URL]')
    .option('--profile <name>', 'profile of the saved key; else default [SPECBOARD_PROFILE]')
    .option('--key <key>', 'discouraged: process lists show it')
    .option('--toolsets <names>', 'toolsets, separated by commas [SPECBOARD_MCP_TOOLSETS]')
    .option('--tools <names>', 'further tools, separated by commas [SPECBOARD_MCP_TOOLS]')
    .option('--exclude <names>', 'tools to leave out, separated by commas [SPECBOARD_MCP_EXCLUDE]')
    .option('--answers <form>', 'lean, made for models, or whole, as over HTTP [SPECBOARD_MCP_ANSWERS]')
    .option(
      '--confirm <what>',
      'destructive: clients that can ask the person do so first; or off [SPECBOARD_MCP_CONFIRM]',
    )
    .option('--readonly', 'only tools that read [SPECBOARD_MCP_READONLY]')
    .option('--board <id>', 'work on one board only [SPECBOARD_MCP_BOARD]')
    .option('--embedded', 'open the data folder in this process; no server needed')
    .option(
      '--allow-dir <folder...>',
      'folders for uploads and downloads, besides the working directory; neither / nor your home',
    )
    .action(async (flags: McpFlags, command: Command) => {
      const { mcp } = await import('./mcp.ts')
      exit(await mcp(flags, await settingsOf(command), process.env))
    })
  specboard
    .command('mcp-config')
    .description('Print a ready MCP configuration for a client, without the key.')
    .requiredOption('--client <name>', 'claude-code, claude-desktop, codex, cursor, vscode, gemini or generic')
    .option('--url <address>', 'the running server [SPECBOARD_URL]')
    .option('--stdio', 'start "specboard mcp" instead of connecting over HTTP')
    .option('--json', 'one JSON object')
    .action(async (flags: { client: string; url?: string; stdio?: boolean; json?: boolean }) => {
      const { mcpConfig } = await import('./mcp.ts')
      exit(mcpConfig(flags.client, flags, process.env))
    })
  specboard
    .command('mcp-tokens')
    .description('Print what the list of tools costs a model; exit code 1 if over budget.')
    .option('--toolsets <names>', 'toolsets, separated by commas; without it each view that has a budget')
    .option('--json', 'as JSON')
    .action(async (flags: { toolsets?: string; json?: boolean }) => {
      const { mcpTokens } = await import('./mcp.ts')
      exit(mcpTokens(flags))
    })

  const kg = specboard.command('kg').description('Maintain the knowledge graph, which is derived from the records.')
  settings
    .of(kg.command('rebuild'), service)
    .description('Rebuild the graphs of all boards, or of one, from their records; the server must be stopped.')
    .option('--board <id>', 'only this board')
    .option('--json', 'one JSON object')
    .action(async (flags: { board?: string; json?: boolean }, command: Command) => {
      const { rebuildGraphs } = await import('./graph.ts')
      exit(await rebuildGraphs(await settingsOf(command), flags))
    })

  settings
    .of(specboard.command('backup'), ['dataDir', ...database, 'backupDir'])
    .description('Save the whole service into one verified file, while it runs or stopped.')
    .option('-o, --output <file>', 'the file, or a folder to create it in; else --backup-dir or here')
    .option('--keep <count>', 'keep only this many backups in that folder')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  specboard backup                          into a new file here
  specboard backup -o /mnt/backups --keep 7 into a folder, where the newest seven stay`,
    )
    .action(async (flags: BackupFlags, command: Command) => {
      const { backup } = await import('./backup/commands.ts')
      exit(await backup(await settingsOf(command), flags))
    })
  settings
    .of(specboard.command('restore'), ['dataDir', ...database])
    .description('Restore a service from a backup into an empty data folder; the service must be stopped.')
    .argument('<file>', 'the backup')
    .option('--force', 'first move the present contents of the data folder aside')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  specboard restore specboard-backup-20300102T030405678Z.zip --data-dir ./restored
  specboard restore backup.zip --force      the present folder is renamed`,
    )
    .action(async (file: string, flags: RestoreFlags, command: Command) => {
      const { restore } = await import('./backup/commands.ts')
      exit(await restore(await settingsOf(command), file, flags))
    })

  settings
    .of(specboard.command('migrate'), ['dataDir', 'databasePasswordFile'])
    .description('Copy a whole stopped service into another database, verified table by table.')
    .requiredOption('--from <place>', 'sqlite:FOLDER or postgres://user@host:port/database')
    .requiredOption('--to <place>', 'the same, empty')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
The data folder of a PostgreSQL database, with the key of its secrets, is --data-dir.

Examples:
  specboard migrate --from sqlite:./data --to postgres://specboard@db/specboard --data-dir ./node
  specboard migrate --from postgres://specboard@db/specboard --data-dir ./node --to sqlite:./back`,
    )
    .action(async (flags: MigrateFlags, command: Command) => {
      const { migrate } = await import('./migrate.ts')
      exit(await migrate(await settingsOf(command), flags))
    })

  specboard
    .command('version')
    .description('Print the version.')
    .option('--json', 'one JSON object')
    .action((flags: { json?: boolean }) => {
      if (flags.json) printJson({ version, node: process.versions.node })
      else console.log(version)
    })
  specboard
    .command('completion')
    .description('Print the script with which a shell completes verbs and flags.')
    .argument('<shell>', 'bash, zsh or fish')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  eval "$(specboard completion bash)"       in ~/.bashrc; the same with zsh in ~/.zshrc
  specboard completion fish > ~/.config/fish/completions/specboard.fish`,
    )
    .action(async (shell: string, flags: { json?: boolean }) => {
      const { completion } = await import('./completion.ts')
      await settings.addAll()
      const script = completion(shell, verbTree(specboard))
      if (flags.json) printJson({ shell, script })
      else process.stdout.write(script)
    })

  const targetNow = async (flags: TargetFlags = {}) => {
    const { targetOf } = await import('./frame/target.ts')
    return targetOf(process.env, process.cwd(), flags)
  }
  specboard
    .command('call')
    .description('Call any operation by its name; "specboard call --list [word]" lists them.')
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (_words: readonly string[], _flags, command: Command) => {
      const { call } = await import('./call/call.ts')
      exit(await call(command.args, targetNow))
    })
  withTarget(specboard.command('init'))
    .description("Connect this project's folder with a board and an agent's client; a second run changes nothing.")
    .option(
      '--client <names>',
      'a comma list of claude-code, cursor, vscode, codex, gemini; or auto, the default with --yes: those found',
    )
    .option('--with <parts>', 'a comma list of mcp, instructions, skills, hooks, git-hooks; else the first four')
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--board <board>', 'id, key or name; else one named like the folder, which is created if absent')
    .option('--agent <name>', 'create an agent with this name, unless it exists, and print its key once')
    .option('--preset <name>', 'what that agent may do; else Solo')
    .option('--separate-review', 'on a new board, nobody validates their own work')
    .option('--remove', 'remove what init wrote into the files; for every client unless --client names one')
    .option('--yes', 'ask nothing')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
It writes .specboard.json, the client's MCP configuration without the key, bound to the board, its hooks and skills, and
a block of AGENTS.md, which CLAUDE.md and GEMINI.md import: all of it, or nothing where a step fails.

Examples:
  specboard init                            asks for client and board
  specboard init --yes --client cursor --board PRO --agent "Executor 1"
  specboard init --remove                   the board and its agents stay`,
    )
    .action(async (flags: InitFlags & TargetFlags) => {
      if (flags.remove) {
        const { removeInit } = await import('./init/remove.ts')
        exit(await removeInit(process.cwd(), flags))
        return
      }
      const { init } = await import('./init/init.ts')
      exit(await init(process.cwd(), flags, await targetNow(flags)))
    })
  withTarget(specboard.command('export'))
    .description('Export a whole board as an archive.')
    .argument('[board]', 'id, key or name; else the board of .specboard.json')
    .option('-o, --output <file>', 'the archive; else a file here named by the service')
    .option('--no-attachments', 'leave the attachments out')
    .option('--no-events', 'leave the log and the histories out')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  specboard export PRO -o product.specboard.zip')
    .action(async (board: string | undefined, flags: ExportFlags & TargetFlags) => {
      const { exportBoard } = await import('./exchange.ts')
      exit(await exportBoard(board, flags, await targetNow(flags)))
    })
  withTarget(specboard.command('import'))
    .description('Import an archive, or the data of another tool: a file, or a folder, which is packed first.')
    .argument('<path>', 'the file or folder')
    .option(
      '--format <format>',
      'specboard, beads, backlog-md, task-master, spec-kit, csv, openspec or vibe-kanban; else detected from the content',
    )
    .option('--dry-run', 'read and check everything, write nothing')
    .option('--board <board>', 'into this board: id, key or name; else into a new one')
    .option('--name <name>', 'the name of the new board')
    .option('--no-keep-ids', 'of an archive: give the records new ids')
    .option('--mapping <mapping>', 'status.Erledigt=done,column.Titel=title, or the same as JSON')
    .option('--all', "of beads: its orchestration's records too")
    .option('--no-inferred-order', 'of spec-kit: only the order that the text states')
    .option('--strict', 'fail (exit 1) where anything was not read')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  specboard import product.specboard.zip
  specboard import ./backlog --dry-run      what a Backlog.md folder would give
  specboard import issues.jsonl --board PRO --json`,
    )
    .action(async (path: string, flags: ImportFlags & TargetFlags) => {
      const { importBoard } = await import('./exchange.ts')
      exit(await importBoard(path, flags, await targetNow(flags)))
    })
  withTarget(specboard.command('watch'))
    .description('Follow the events of a board, one line each, until Ctrl-C; reconnects automatically.')
    .argument('[board]', 'id, key or name; else the board of .specboard.json')
    .option('--after <number>', 'begin after this event; else from the first one')
    .option('--action <names>', 'only these actions, separated by commas')
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      `
Examples:
  specboard watch PRO --after 120
  specboard watch --action card_moved,card_created --json | jq .entity_id`,
    )
    .action(async (board: string | undefined, flags: WatchFlags & TargetFlags) => {
      const { watch } = await import('./watch.ts')
      exit(await watch(board, flags, await targetNow(flags)))
    })

  withTarget(specboard.command('prove'))
    .description(
      "Run a command that proves cards, specs or scenarios, and report how it ended; its exit code is the command's.",
    )
    .usage('REF[/SCENARIO]... [options] -- COMMAND...')
    .argument('<words...>', 'what to prove, then -- and the command')
    .option('--board <board>', 'id, key or name; else that of the first reference')
    .option('--repository <name>', 'id or name; else that of this clone')
    .option('--report <glob...>', 'report files that the command writes')
    .option('--audience <audience>', 'of the OIDC token of a CI job')
    .option('--require', 'fail before running if the service cannot be reached')
    .addHelpText(
      'after',
      `
Examples:
  specboard prove PRO-14 -- pnpm test
  specboard prove PRO-3/S2 --report 'reports/*.xml' -- pnpm test sign-in`,
    )
    .action(async (words: readonly string[], flags: ProveFlags & TargetFlags) => {
      const at = process.argv.indexOf('--')
      const command = at < 0 ? [] : process.argv.slice(at + 1)
      const { prove } = await import('./prove.ts')
      exit(
        await prove(words.slice(0, words.length - command.length), command, flags, await targetNow(flags), process.env),
      )
    })

  addReport(specboard, { exit, targetNow })
  addCi(specboard, { exit, targetNow })
  addLogin(specboard, { exit, targetNow })
  specboard
    .command('hook')
    .description(
      'Report an event of a client to the service, as its hook; never blocks the client, whatever goes wrong.',
    )
    .argument(
      '<event>',
      'session_start, prompt, before_edit, before_shell, after_shell, claimed, before_compact, stop, …',
    )
    .option('--client <name>', 'claude-code, codex, gemini, cursor or copilot', 'claude-code')
    .option('--dry-run', 'print what would be sent, and send nothing')
    .addHelpText('after', '\nExample:\n  specboard hook session_start --client codex --dry-run < input.json')
    .action(async () => {
      const { hook } = await import('./hook/hook.ts')
      await hook(process.argv.slice(process.argv.indexOf('hook') + 1), process.env)
      exit(0)
    })
  addVerbs(specboard, { exit, targetNow })
  addGit(specboard, { exit, targetNow })
  addPaths(specboard, { exit, targetNow })
  withTarget(specboard.command('status'))
    .description('Show who you are, what you hold, what waits, and who works on what.')
    .option('--board <board>', 'id, key or name; else the board of .specboard.json')
    .option('--json', 'one JSON object')
    .action(async (flags: StatusFlags) => {
      const { status } = await import('./status.ts')
      exit(await status(flags, await targetNow(flags)))
    })

  settings
    .of(specboard.command('doctor'))
    .description(
      'Print the settings in effect; check the data folder, its database, and the connection to the service.',
    )
    .option('--mail <address>', 'send a test mail there')
    .option('--fix', 'restrict files that others may read, and rebuild derived data')
    .option('--json', 'one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  specboard doctor --data-dir ./data        what is wrong, and what to do; changes nothing
  specboard doctor --fix                    also repairs rights, counts, search and graph`,
    )
    .action(async (flags: DoctorFlags, command: Command) => {
      const { doctor } = await import('./doctor.ts')
      const { foundSettings } = await import('./settings.ts')
      const allFlags = command.optsWithGlobals<Flags>()
      exit(
        await doctor(await settingsOf(command), flags, name => foundSettings(allFlags, process.env).found(name).source),
      )
    })
  return specboard
}

/** Lets a command end normally when nobody reads the rest of its output, as in `specboard --help | head`. */
function outliveReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** Whether a command line asks for machine-readable output: with `--json`, and always for `call`. */
const isForMachines = (args: readonly string[]): boolean => args.includes('--json') || args[0] === 'call'

/** Prints the error of a command line as the single object of its output (exchange 3). */
async function printError(words: readonly string[], error: unknown): Promise<void> {
  const { errorObject } = await import('./frame/error-object.ts')
  printJson(errorObject(error), { oneLine: words[0] === 'watch' })
}

/** Runs a command line, `serve` if it names no verb; returns the exit code. Prints any error as one clear line. */
export async function run(args: readonly string[]): Promise<number> {
  outliveReader(process.stdout)
  outliveReader(process.stderr)
  const words = args.slice(2)
  let code: Code
  try {
    const settings = new SettingFlags()
    const specboard = program(setCode => {
      code = setCode
    }, settings)
    // Commander shows the help of a verb without calling it.
    if (words.includes('help')) await settings.addAll()
    await specboard.parseAsync(words.length > 0 ? args : [...args, 'serve'])
    return code ?? 0
  } catch (error) {
    // Help and version; Commander has already printed its own errors.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (!(error instanceof CommanderError)) console.error(`specboard: ${explain(error)}`)
    if (isForMachines(words)) await printError(words, error)
    return error instanceof CommanderError || error instanceof UsageError ? 2 : 1
  }
}
