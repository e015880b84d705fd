/** `specboard ci setup`: registers the repository of a folder, trusts its pipeline, and prints the lines for it (evidence 11). */
import { resolve } from 'node:path'
import { createClient } from '@specboard/client'
import { hasTokens, issuerOf, type Pipeline, pipelineLines, pipelines } from '@specboard/contract/pipeline-lines'
import { boardChosen } from '../frame/board.ts'
import { Failure, reaching } from '../frame/failure.ts'
import { printJson } from '../frame/output.ts'
import { type KeyedTarget, keyed, type Target } from '../frame/target.ts'
import { UsageError } from '../frame/usage-error.ts'
import { Git } from '../git/git.ts'
import { addressOf, type KnownRepository, repositoryOf } from '../git/repository.ts'

/** The flags of `specboard ci setup`. */
export interface SetupFlags {
  readonly forge?: string
  readonly board?: string
  readonly repo?: string
  readonly json?: boolean
}

function pipelineNamed(name: string | undefined): Pipeline | undefined {
  const found = pipelines.find(pipeline => pipeline === name)
  if (name !== undefined && found === undefined)
    throw new UsageError(`--forge is one of ${pipelines.join(', ')}, not "${name}".`)
  return found
}

/**
 * Does what is still missing: a second run changes nothing.
 * @throws UsageError for another forge; Failure if the repository trusts another issuer
 */
export async function ciSetup(flags: SetupFlags, to: Target): Promise<number> {
  const override = pipelineNamed(flags.forge)
  const target = keyed(to)
  const board = await boardChosen(target, flags.board)
  const git = new Git(resolve(flags.repo ?? '.'))
  const url = await addressOf(git, await git.place())
  const existing = await repositoryOf(target, board.id, url, { forge: override })
  const pipeline = override ?? (existing.forge === 'plain' ? 'shell' : existing.forge)
  const repository = hasTokens(pipeline) ? await trusting(target, existing, pipeline) : existing
  const lines = pipelineLines(pipeline, { url: target.url, boardId: board.id })
  if (flags.json) {
    const { id, ci } = repository
    printJson({ board_id: board.id, repository_id: id, repository: repository.name, pipeline, ci, lines })
    return 0
  }
  const summary = hasTokens(pipeline)
    ? `${repository.name} trusts ${repository.ci!.issuer} for ${repository.ci!.trusted_refs.join(', ')}.`
    : `${repository.name} is registered. Its pipeline needs the key of a ci agent:\nspecboard call create_agent --name "CI ${repository.name}" --kind ci --board_ids '["${board.id}"]'`
  console.log([summary, '', ...lines].join('\n'))
  if (isLoopback(target.url))
    console.error(
      `specboard: ${target.url} only reaches this machine; a pipeline elsewhere needs an address it can reach.`,
    )
  return 0
}

const isLoopback = (url: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

/** The repository, trusting the issuer of its pipeline. */
async function trusting(target: KeyedTarget, repository: KnownRepository, pipeline: Pipeline) {
  const issuer = issuerOf(pipeline, repository.url)
  if (issuer === undefined)
    throw new Failure(
      'NO_ISSUER',
      `The address ${repository.url} names no host that issues tokens. Use --forge shell, or set the ci of the repository with update_repository.`,
    )
  const current = repository.ci?.issuer
  if (current === issuer) return repository
  if (current !== undefined)
    throw new Failure(
      'OTHER_ISSUER',
      `${repository.name} trusts ${current} already. update_repository with ci: {"issuer": "${issuer}"} replaces it.`,
    )
  return reaching(target, () => createClient(target).updateRepository({ repository_id: repository.id, ci: { issuer } }))
}
