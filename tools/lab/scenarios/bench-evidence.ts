/**
 * Measures evidence: lists whose records show their proof compared with lists without any, get_proof, the gate of a
 * move, the exchange of a CI token, and what `specboard prove` costs.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import type { Client } from '@specboard/client'
import { CiIssuer } from '../../../apps/cli/test/support/ci-issuer.ts'
import type { Lab } from '../harness/lab.ts'
import { scenario } from '../harness/scenario.ts'
import { mainFile, type Service } from '../harness/service.ts'
import { p50, timed } from '../harness/statistics.ts'
import { measureCalls } from '../load/measured.ts'

/** Specs of the boards whose lists are compared, and the cards and scenarios of each. */
const specs = 10
const cardsOfSpec = 20
const scenariosOfSpec = 10

/** Scenarios of the spec whose proof is read, and of its card. */
const ofLargeSpec = 200
const ofCard = 20

/** The goals for the median of calls, and for what is added to others. */
const goals = { proof: '≤ 30', gate: '≤ 5', exchange: '≤ 20', prove: '≤ 150', lists: '≤ 10 %' }

/** Scenarios or cards that are proven with one run at most. */
const ofRun = 50

export default scenario({
  summary: 'lists with proof, get_proof, the gate of a move, CI tokens and what specboard prove costs',
  options: { rounds: 200 },
  short: { rounds: 3 },
  engines: ['sqlite', 'postgres'],
  run: async (lab, { rounds }) => {
    const issuer = await CiIssuer.start()
    const server = await lab.start('data', { SPECBOARD_OIDC_ALLOWED_HOSTS: '127.0.0.1' })
    await lists(lab, server, rounds)
    await proofs(lab, server, rounds)
    await exchange(lab, server, issuer, rounds)
    await proving(lab, server, Math.min(rounds, 10))
  },
})

const scenarios = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index + 1}`,
    title: `Scenario ${index} of a shop`,
    given: 'a shop with things in it',
    when: 'one buys a thing',
    then: 'it is sold',
  }))

const idsOf = (count: number): string[] => scenarios(count).map(({ id }) => id)

/** Records passed runs for scenarios of a spec. */
async function prove(client: Client, board_id: string, ref: string, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ofRun) {
    const named = ids.slice(from, from + ofRun).map(id => `${ref}/${id}`)
    const { id } = await client.beginProofRun({ board_id, for: named, command: 'pnpm test' })
    await client.finishProofRun({ run_id: id, exit_code: 0 })
  }
}

/** Makes a board of test cards, each with two scenarios; returns its id and that of its first spec. */
async function boardOfCards(client: Client, isProven: boolean) {
  const { id: board_id } = await client.createBoard({ name: isProven ? 'Proven' : 'Plain', description: '' })
  const ids: string[] = []
  for (let number = 0; number < specs; number++) {
    const { id: spec_id, ref } = await client.createSpec({
      board_id,
      title: `Spec ${number}`,
      status: 'in_progress',
      test_scenarios: scenarios(scenariosOfSpec),
    })
    ids.push(spec_id)
    for (let card = 0; card < cardsOfSpec; card++)
      await client.createCard({
        board_id,
        spec_id,
        title: `Card ${card}`,
        card_type: 'test',
        test_scenario_ids: [`s${(card % scenariosOfSpec) + 1}`, `s${((card + 1) % scenariosOfSpec) + 1}`],
      })
    if (isProven) await prove(client, board_id, ref, idsOf(scenariosOfSpec))
  }
  return { board_id, spec_id: ids[0]! }
}

/** Lists in which everything is proven and the same lists without any proof, in turns. */
async function lists(lab: Lab, { client }: Service, rounds: number): Promise<void> {
  const boards = [await boardOfCards(client, false), await boardOfCards(client, true)]
  const calls = {
    'list_cards, 200': ({ board_id }) => client.listCards({ board_id, limit: 200 }),
    'list_cards, 50': ({ board_id }) => client.listCards({ board_id, limit: 50 }),
    'list_specs, 10': ({ board_id }) => client.listSpecs({ board_id }),
    'list_ready_cards, 50': ({ board_id }) => client.listReadyCards({ board_id, limit: 50 }),
    get_coverage_analytics: ({ board_id }) => client.getCoverageAnalytics({ board_id }),
  } satisfies Record<string, (board: (typeof boards)[number]) => Promise<unknown>>
  const row = lab.report.table('list', 'without ms', 'with ms', 'slower', 'goal')
  for (const [name, call] of Object.entries(calls)) {
    const took: [number[], number[]] = [[], []]
    for (let round = -5; round < rounds; round++)
      for (const [at, board] of boards.entries()) {
        const ms = await timed(() => call(board))
        if (round >= 0) took[at]!.push(ms)
      }
    const [plain, proven] = [p50(took[0]), p50(took[1])]
    row(name, plain, proven, `${((proven / plain - 1) * 100).toFixed(0)} %`, goals.lists)
  }
}

/** get_proof of a large spec, and moves of a card with and without the gate. */
async function proofs(lab: Lab, server: Service, rounds: number): Promise<void> {
  const { client } = server
  const { id: board_id } = await client.createBoard({ name: 'Proofs', description: '' })
  await client.updateBoard({ board_id, settings: { require_task_validation: false, max_scenarios_per_card: ofCard } })
  const test_scenarios = scenarios(ofLargeSpec)
  const { id: spec_id, ref } = await client.createSpec({
    board_id,
    title: 'Spec',
    status: 'in_progress',
    test_scenarios,
  })
  await prove(client, board_id, ref, idsOf(ofLargeSpec))
  const read = () => client.getProof({ entity_type: 'spec', entity_id: spec_id })
  await measureCalls(lab.report, server, `get_proof, ${ofLargeSpec} scenarios`, read, { rounds, goal: goals.proof })
  const test_scenario_ids = idsOf(ofCard)
  const { id: card_id } = await client.createCard({
    board_id,
    spec_id,
    title: 'Card',
    card_type: 'test',
    test_scenario_ids,
  })
  const whole = { completeness: 100, completeness_justification: 'All', drift: 0, drift_justification: 'None' }
  await client.moveCard({ card_id, target_status: 'started' })
  const took: Record<'claimed' | 'observed', number[]> = { claimed: [], observed: [] }
  for (let round = -3; round < Math.min(rounds, 60); round++)
    for (const min_evidence_tier of ['claimed', 'observed'] as const) {
      await client.updateBoard({ board_id, settings: { min_evidence_tier } })
      const ms = await timed(() => client.moveCard({ card_id, target_status: 'done', conclusion: 'Done', ...whole }))
      if (round >= 0) took[min_evidence_tier].push(ms)
      await client.moveCard({ card_id, target_status: 'started' })
    }
  const [without, withGate] = [p50(took.claimed), p50(took.observed)]
  lab.report.figure(`move of a card with ${ofCard} scenarios`, {
    'without the gate ms': without,
    'with it ms': withGate,
    'added ms': withGate - without,
    goal: goals.gate,
  })
}

/** The exchange of a token whose issuer's keys are known. */
async function exchange(lab: Lab, server: Service, issuer: CiIssuer, rounds: number): Promise<void> {
  const { client } = server
  const { id: board_id } = await client.createBoard({ name: 'Tokens', description: '' })
  const url = 'https://github.com/acme/shop'
  await client.createRepository({ board_id, url, ci: { issuer: issuer.issuer } })
  const tokens: string[] = []
  for (let round = 0; round <= rounds; round++)
    tokens.push(await issuer.token(`specboard:${board_id}`, { claims: { run_id: `${round}` } }))
  const take = () => client.exchangeCiToken({ token: tokens.pop()! })
  await take()
  await measureCalls(lab.report, server, 'exchange_ci_token, keys cached', take, { rounds, goal: goals.exchange })
}

/** The time that `specboard prove -- true` takes in addition to `true`. */
async function proving(lab: Lab, { client, url, key }: Service, rounds: number): Promise<void> {
  const { id: board_id } = await client.createBoard({ name: 'Proving', description: '' })
  const { ref } = await client.createCard({ board_id, title: 'Card' })
  const cwd = lab.path('folder')
  mkdirSync(cwd)
  const env = { ...process.env, SPECBOARD_URL: url, SPECBOARD_API_KEY: key! }
  const run = (command: string, ...args: readonly string[]) =>
    timed(() => {
      const { status, stderr } = spawnSync(command, args, { cwd, env })
      if (status !== 0) throw new Error(String(stderr))
    })
  const [alone, watched]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    alone.push(await run('true'))
    watched.push(await run(process.execPath, mainFile(), 'prove', ref, '--', 'true'))
  }
  lab.report.figure('specboard prove -- true', {
    'added ms': p50(watched) - p50(alone),
    'longest ms': Math.max(...watched),
    goal: goals.prove,
  })
}
