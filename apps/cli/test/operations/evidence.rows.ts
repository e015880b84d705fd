import { randomUUID } from 'node:crypto'
import { CiIssuer } from '../support/ci-issuer.ts'
import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

/** A report in which one test passed and one failed, of a run of its own. */
const report = () => ({
  name: 'unit',
  // In the form of ids, which comparisons of answers leave out.
  ci_run: randomUUID().replace(/^(.{14})./, '$17'),
  files: [{ name: 'unit.tap', text: 'TAP version 14\nok 1 - adds\nnot ok 2 - rounds\n1..2\n' }],
})

/** A stored report. */
const newReport = async ({ world, boardId: board_id }: Scene) => {
  const { id } = await world.ok('submit_test_report', { board_id, ...report() })
  return { report_id: id as string }
}

/** A run that is begun for a scenario. */
const runArgs = async (scene: Scene) => {
  const spec_id = await scene.specWithScenarios()
  const { ref } = await scene.world.ok('get_spec', { spec_id })
  return { board_id: scene.boardId, for: [`${ref}/s1`], command: 'pnpm test' }
}

/** Issues the tokens that say whose runs there are; it serves until the tests end. */
let issuer: Promise<CiIssuer> | undefined

export const evidence: Rows<'evidence'> = {
  submit_test_report: { args: scene => ({ board_id: scene.boardId, ...report() }) },
  list_test_reports: {
    args: async scene => {
      await newReport(scene)
      return { board_id: scene.boardId }
    },
  },
  get_test_report: { args: newReport },
  list_test_cases: { args: newReport },
  begin_proof_run: { args: runArgs },
  finish_proof_run: {
    args: async (scene, caller) => {
      const { id } = await scene.world.ok('begin_proof_run', await runArgs(scene), { as: caller })
      return { run_id: id as string, exit_code: 0 }
    },
    permissionTestedBy: 'proof-runs.test.ts: only who began a run finds it',
  },
  get_proof: { args: async scene => ({ entity_type: 'card', entity_id: await scene.card() }) },
  get_evidence_analytics: {
    args: async scene => {
      await newReport(scene)
      return { board_id: scene.boardId, from: '2020-01-01' }
    },
  },
  preview_board_settings: {
    args: async scene => {
      await scene.card()
      return { board_id: scene.boardId }
    },
  },
  set_card_waiver: {
    args: async scene => ({ card_id: await scene.card(), gates: ['proof'], reason: 'The tests run by hand only.' }),
  },
  exchange_ci_token: {
    args: async ({ world, boardId: board_id }) => {
      issuer ??= CiIssuer.start()
      const ci = { issuer: (await issuer).issuer }
      // In the form of ids, and after the others.
      const name = `the pipeline ${randomUUID().replace(/^(.{14})./, '$17')}`
      await world.ok('create_repository', { board_id, name, url: 'https://github.com/acme/shop', ci })
      return { token: await (await issuer).token(`specboard:${board_id}`), board_id }
    },
  },
  set_scenario_tests: {
    args: async scene => ({
      spec_id: await scene.specWithScenarios(),
      scenario_id: 's1',
      tests: ['logs in', 'web::*'],
    }),
  },
}
