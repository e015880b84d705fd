/** set_card_waiver: exempts a card from gates of evidence, with a reason that is shown on it (evidence 8, rule 5). */
import type { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { PersonRequired } from '../../kernel/person-required.ts'
import { parseJson, sameJson, toJson } from '../../lib/json.ts'
import { removeWaiver, waiverOf } from '../../planning/proof/waivers.ts'
import { insertRow } from '../../schema/rows.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { readWholeCard } from '../cards/whole-card.ts'

export const setCardWaiver: Implementation<(typeof features.evidence)['set_card_waiver']> = async (
  { params, body },
  ctx,
) => {
  const { db, caller } = ctx
  const card = await readCard(db, params.card_id)
  refuseArchivedCard(card)
  const { approval_done } = await boardSettings(db, card.board_id)
  if (approval_done === 'person' && !caller.present)
    throw new PersonRequired({
      needs: 'present',
      gate: 'approval_done',
      action: 'the waiver of this card',
      boardId: card.board_id,
      permissions: ['CARDS_WAIVE'],
    })
  const before = await waiverOf(db, card.id)
  const { gates, reason = '' } = body
  const isSame =
    before === undefined
      ? gates.length === 0
      : before.is_imported === 0 && sameJson(parseJson(before.gates), gates) && before.reason === reason
  if (!isSame) {
    await removeWaiver(db, card.id)
    if (gates.length > 0)
      await insertRow(db, 'card_waivers', {
        card_id: card.id,
        board_id: card.board_id,
        gates: toJson(gates),
        reason,
        waived_by: caller.id,
        waived_by_name: caller.name,
        waived_at: ctx.now(),
        is_imported: 0,
      })
    await recordOnCard(ctx, card, gates.length > 0 ? 'card_waived' : 'card_waiver_removed', {
      gates,
      reason: body.reason ?? null,
    })
  }
  return readWholeCard(ctx, card.id)
}
