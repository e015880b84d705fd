import type { Command } from 'commander'
import type { Target } from '../frame/target.ts'
import type { ReportFlags } from './report.ts'

/** What the command needs from the command line. */
interface Frame {
  readonly exit: (code: number) => void
  readonly targetNow: () => Promise<Target>
}

/** Adds `specboard report` (evidence 11). */
export function addReport(specboard: Command, { exit, targetNow }: Frame): void {
  specboard
    .command('report')
    .description('Send test reports of a CI job, with the commits of its push; one line in a pipeline.')
    .argument('<files...>', 'JUnit XML, TAP, CTRF or go test -json: names, or patterns such as "reports/**/*.xml"')
    .option('--board <board>', 'id, key or name; else SPECBOARD_BOARD, or that of .specboard.json')
    .option('--name <name>', 'of this job or shard, where a run has several; else "tests"')
    .option('--for <refs>', 'cards and specs that it speaks for, separated by commas')
    .option('--preview', 'show what it would do; nothing is stored')
    .option('--strict', 'exit code 3 where a scenario failed, or nothing is proved')
    .option('--best-effort', 'exit code 0, with a warning, if the service cannot be reached')
    .option('--format <format>', 'junit, tap, ctrf or go; else detected from the content')
    .option('--commit <sha>', 'the commit tested; else from the CI system or git, like all options below')
    .option('--tested-commit <sha>', 'what was checked out, if different: a trial merge')
    .option('--branch <name>', 'its branch')
    .option('--pull-request <number>', 'its pull or merge request')
    .option('--run <id>', 'the run that its reports belong to')
    .option('--attempt <number>', 'of the run')
    .option('--run-url <address>', 'the page of the run')
    .option('--repository <name>', 'id or name of a repository of the board')
    .option('--audience <audience>', 'of the OIDC token, if the repository trusts another than the default')
    .option('--json', 'the report as the service returns it')
    .addHelpText(
      'after',
      `
Who sends: SPECBOARD_API_KEY, else the OIDC token of the job (GitHub and Forgejo Actions, or SPECBOARD_ID_TOKEN).
"specboard ci setup" registers the repository and prints the lines for the pipeline.

Examples:
  specboard report "reports/*.xml"
  specboard report --name unit --strict junit.xml
  specboard report --preview --board PRO reports/*.xml`,
    )
    .action(async (files: readonly string[], flags: ReportFlags) => {
      const { report } = await import('./report.ts')
      exit(await report(files, flags, await targetNow(), process.env))
    })
}
