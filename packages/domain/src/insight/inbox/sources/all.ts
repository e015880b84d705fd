import type { Source } from '../source.ts'
import { changesOfCards } from './changes.ts'
import { expiredClaims } from './claims.ts'
import { choiceComments } from './comments.ts'
import { endedConnections } from './connections.ts'
import { crewGaps } from './crew-gap.ts'
import { refusedEvents } from './forges.ts'
import { handOvers } from './hand-overs.ts'
import { mentions } from './mentions.ts'
import { news } from './news.ts'
import { outgrownCards } from './outgrown.ts'
import { overlaps } from './overlaps.ts'
import { toJudge } from './planning.ts'
import { proofOfCards } from './proof.ts'
import { questions } from './questions.ts'
import { stuckCards } from './stuck.ts'
import { cardsToRework, cardsToValidate } from './validations.ts'
import { failingWebhooks } from './webhooks.ts'

/** All sources of inbox items; several may have items of the same kind. */
export const sources: readonly Source[] = [
  ...questions,
  choiceComments,
  cardsToValidate,
  cardsToRework,
  ...toJudge,
  ...stuckCards,
  expiredClaims,
  failingWebhooks,
  ...changesOfCards,
  ...proofOfCards,
  refusedEvents,
  ...handOvers,
  ...outgrownCards,
  ...overlaps,
  crewGaps,
  ...news,
  ...mentions,
  endedConnections,
]
