/**
 * How statements of PostgreSQL find rows without naming a board, and how many do so, each group with its reason. The
 * numbers may only shrink, by using `onBoard`, `onBoardOf` and `sameBoard`.
 */
export const statementsOffBoard: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'what an agent or a person has, on whichever boards': {
    'boards by owner_id': 3,
    'cards by nothing': 3,
    'claims by agent_id': 4,
    'events by entity_id': 2,
    'grants by agent_id': 4,
    'news by agent_id': 2,
    'path_reservations by agent_id': 3,
    'saved_views by owner_id': 1,
    'shares by user_id': 4,
  },
  'guidelines, which boards share': {
    'board_guidelines by guideline_id': 2,
  },
  'work and figures of the service over all boards': {
    'boards by nothing': 3,
    'events by nothing': 4,
    'webhooks by nothing': 2,
  },
  'boards by their unique key, and what the record of a reference has': {
    'boards by key': 3,
    'refinements by ideation_id': 1,
    'specs by ideation_id': 1,
    'specs by refinement_id': 1,
  },
  'records that an address, an answer or the index of the search names by their ids alone': {
    'architecture_designs by id': 1,
    'cards by id': 3,
    'change_links by change_id': 2,
    'comments by id': 1,
    'deleted_numbers by entity_id': 1,
    'events by card_id': 1,
    'ideations by id': 4,
    'knowledge by id': 1,
    'questions by id': 1,
    'refinements by id': 4,
    'specs by id': 5,
    'sprints by id': 9,
  },
  'what triggers find when a record is deleted': {
    'change_links by entity_id': 2,
    'changes by id': 1,
  },
  'few rows that the server finds by their ids: with the board it would read all that the board has': {
    'card_dependencies by card_id': 1,
    'cards by spec_id': 1,
    'scenario_results by spec_id': 1,
    'sprints by spec_id': 7,
  },
  'what a statement says, but its plan does not show: hashes of small tables, and boards in a list of objects': {
    'claims by nothing': 3,
    'events by actor_id, entity_id': 1,
    'specs by nothing': 1,
    'sprints by nothing': 1,
  },
}
