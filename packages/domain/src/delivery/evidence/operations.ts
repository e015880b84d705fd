import type { features } from '@specboard/contract'
import type { Implementation } from '../../kernel/implement.ts'
import { exchangeCiToken } from '../ci/exchange.ts'
import { listedCases, listedReports } from './listing.ts'
import { getProof } from './proof.ts'
import { beginProofRun, finishProofRun } from './runs.ts'
import { setScenarioTests } from './scenario-tests.ts'
import { previewBoardSettings } from './settings-preview.ts'
import { readReportRow, withMapping } from './store.ts'
import { submitTestReport } from './submitting.ts'
import { setCardWaiver } from './waiver.ts'

type Evidence = typeof features.evidence

const listTestReports: Implementation<Evidence['list_test_reports']> = ({ query }, ctx) => listedReports(ctx, query)

const getTestReport: Implementation<Evidence['get_test_report']> = async ({ params }, ctx) =>
  withMapping(ctx, await readReportRow(ctx.db, params.report_id))

const listTestCases: Implementation<Evidence['list_test_cases']> = ({ query }, ctx) => listedCases(ctx, query)

/** Test reports, and what they prove about records (evidence). */
export const evidenceOperations = {
  submit_test_report: submitTestReport,
  list_test_reports: listTestReports,
  get_test_report: getTestReport,
  list_test_cases: listTestCases,
  set_scenario_tests: setScenarioTests,
  begin_proof_run: beginProofRun,
  finish_proof_run: finishProofRun,
  get_proof: getProof,
  set_card_waiver: setCardWaiver,
  preview_board_settings: previewBoardSettings,
  exchange_ci_token: exchangeCiToken,
}
