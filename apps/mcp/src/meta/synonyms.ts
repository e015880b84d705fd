import type { FeatureName } from '@specboard/contract'

/** Other words for the records of a feature (mcp 11). */
const byFeature: Readonly<Partial<Record<FeatureName, string>>> = {
  cards: 'ticket issue task story todo bug defect blocked blocker',
  comments: 'card note remark discussion reply thread choice poll',
  ideations: 'epic idea feature request proposal initiative',
  refinements: 'grooming analysis scope breakdown',
  specs: 'prd requirement specification acceptance criteria rule contract scenario test plan',
  sprints: 'iteration milestone cycle timebox',
  qa: 'question answer clarify',
  agents: 'user member bot token api key credential access',
  presets: 'role permission profile',
  me: 'permission right whoami access myself',
  boards: 'project workspace kanban',
  attachments: 'file screenshot image upload document',
  architecture: 'design diagram component entity interface c4 mermaid excalidraw',
  guidelines: 'instruction',
  'knowledge-graph': 'graph memory lesson decision node relation consolidation',
  analytics: 'report metric statistic dashboard chart number',
  discovery: 'search find query saved intent',
  settings: 'configuration option runtime',
  health: 'status alive version ping',
}

/** Other words for what operations do, by a pattern of their names. */
const byName: readonly (readonly [RegExp, string])[] = [
  [/^create_card$/, 'ticket issue task story todo bug defect report open file write'],
  [/^create_comment$/, 'write note remark say tell leave poll vote'],
  [/^(get|list)_card$|get_board_columns/, 'my task ticket work next'],
  [/_my_inbox$/, 'should next waiting pending review answer approve work resume'],
  [/_my_events$/, 'what changed happened new since'],
  [/^create_sprint$/, 'plan iteration milestone start'],
  [/^(start_kg_backfill|migrate_kg_schema)$/, 'rebuild reindex knowledge graph anew'],
  [/excalidraw/, 'draw sketch picture drawing'],
  [/lineage/, 'trace traceability origin impact come derived whole tree chain'],
  [/guideline/, 'convention coding rule standard style policy'],
  [/dependen/, 'blocked blocker block wait depend link'],
  [/^move_/, 'approve sign off review accept'],
  [/^submit_.*(validation|evaluation)/, 'approve sign off review accept reject judge verdict check work quality'],
  [/^submit_task_validation$/, 'card done'],
  [/^move_/, 'status transition start finish close complete cancel done advance'],
  [/^update_/, 'edit change rename assign label set'],
  [/^create_/, 'add new make open'],
  [/^delete_|^remove_|^revoke_/, 'drop erase'],
  [/^list_|^get_/, 'show read see view'],
  [/^list_/, 'all overview browse'],
  [/question/, 'clarify open ask'],
  [/knowledge/, 'document reference context'],
  [/history|activity/, 'log audit change past who when'],
  [/^search_records$/, 'where is find it locate record'],
  [/^diff_record$/, 'what changed since review difference compare'],
  [/snapshot/, 'version earlier state'],
  [/^archive/, 'hide put away old'],
  [/^restore/, 'unarchive bring back archived undo'],
  [/share|access/, 'invite member grant collaborate'],
  [/regenerate_agent_key/, 'rotate reset token'],
  [/evaluate|evaluation/, 'score rate judge complexity estimate'],
  [/derive/, 'turn into convert promote generate'],
  [/suggest/, 'plan propose split'],
  [/assign_sprint|unassign_sprint/, 'put plan into iteration add tasks'],
  [/export|download/, 'csv file save'],
  [/blockers/, 'stuck stalled waiting'],
  [/^get_allowed_moves$/, 'blocked blocker block card record spec why reason'],
  [/velocity/, 'throughput speed pace fast quick rate per week'],
  [/columns/, 'kanban lanes cards by status'],
  [/respond/, 'reply answer choose vote'],
  [/backfill/, 'rebuild reindex historical'],
  [/similar/, 'like related lesson learned duplicate memory'],
  [/contradiction/, 'conflict disagree'],
  [/supersedence/, 'replaced outdated decision chain'],
  [/scenario/, 'test case coverage'],
  [/seen/, 'read receipt'],
  [/dead_letter/, 'failed queue stuck'],
]

const words: Readonly<Record<string, string>> = {
  card: 'ticket issue task story todo bug defect',
  ideation: 'epic idea feature proposal',
  spec: 'prd specification requirement',
  sprint: 'iteration milestone cycle',
  board: 'project workspace',
  attachment: 'file screenshot image',
  dependency: 'blocker blocked depend',
  agent: 'user member bot token key',
  graph: 'memory lesson',
  move: 'start finish close complete mark done advance reopen cancel status',
  create: 'add new make open write report',
  update: 'edit change rename set',
  delete: 'remove drop erase',
  get: 'show read see view open',
  list: 'overview browse',
}

/** The service's own word for a word that callers use. */
export const meantBy: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(words).flatMap(([own, others]) => others.split(' ').map(other => [other, own])),
)

/** Hand-written synonyms of an operation, besides the words of its definition. */
export const synonymsOf = (name: string, feature: FeatureName): string[] => [
  ...(byFeature[feature] ?? '').split(' '),
  ...byName.filter(([part]) => part.test(name)).flatMap(([, words]) => words.split(' ')),
]
