/** What settings about evidence and changes would refuse now (evidence 13). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, Ref } from '../shared.ts'

const count = z.int().min(0)

const WouldHave = z.object({ moves: count, cards: z.array(Ref).describe('the first 5') }).meta({ id: 'WouldHave' })

const SettingsPreview = z
  .object({
    in_validation: count,
    refused: z
      .object({
        min_evidence_tier: z.object({ claimed: count, observed: count, ci: count, person: count }),
        require_fresh_evidence: count,
        require_merged_change: count.nullable(),
        require_green_checks: count.nullable(),
      })
      .describe('by setting, if it were on; null without CHANGES_READ'),
    automations: z
      .object({
        auto_start_on_change: WouldHave,
        auto_validation_on_pull_request: WouldHave,
        auto_done_on_merge: WouldHave,
        notify_failed_checks: WouldHave,
      })
      .nullable()
      .describe('what each would have done in 7 days; null without CHANGES_READ'),
  })
  .meta({ id: 'SettingsPreview' })

export const preview_board_settings = operation({
  name: 'preview_board_settings',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/settings/preview',
  permission: 'CARDS_READ',
  reads: 'board',
  extension: true,
  title: 'Preview board settings',
  description: 'Count the cards in validation that stricter evidence settings would refuse.',
  params: { board_id: Id },
  response: SettingsPreview,
  errors: [],
  keywords: ['gate', 'tier', 'what if', 'proof', 'merged', 'checks'],
})
