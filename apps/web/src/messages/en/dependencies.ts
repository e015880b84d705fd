import { number } from '../format.ts'
import { inLanguage } from '../language.ts'

const cards = (count: number) => `${number(count)} ${count === 1 ? 'card' : 'cards'}`

export const dependencies = inLanguage('dependencies', {
  title: 'Dependencies',
  of: 'Cards of',
  withDone: 'Show done',
  views: { label: 'Shown as', graph: 'Graph', table: 'Table' },
  empty: 'No card waits for another.',
  emptyLead: 'Open a card and choose “Add a dependency”. The order of work then appears here.',
  emptyHere: 'No open card here waits for another.',
  tooMany: (count: number) =>
    `${cards(count)} are too many for one drawing. Choose a spec or a sprint to see them as a graph.`,
  figures: {
    path: 'Critical path',
    pathNone: 'none',
    waiting: 'Wait for others',
    most: 'Blocks most',
    alone: 'Without links',
    ofOpen: (count: number) => `of ${number(count)} open`,
    inARow: 'in a row',
    blocked: (count: number) => `${cards(count)} ${count === 1 ? 'waits' : 'wait'}`,
  },
  holdsUp: 'What blocks most',
  blocks: (count: number) => `holds up ${cards(count)}`,
  graph: 'Which card waits for which',
  graphHint: 'Arrow keys follow the lines, Enter opens a card.',
  legend: { critical: 'Critical path', waits: 'Waits for the one before it', outside: 'Outside this selection' },
  waitsFor: (count: number) => `waits for ${cards(count)}`,
  onPath: 'on the critical path',
  outside: 'outside this selection',
  zoomIn: 'Larger',
  zoomOut: 'Smaller',
  table: {
    card: 'Card',
    status: 'Status',
    waitsFor: 'Waits for',
    waiting: 'Waiting for it',
    inAll: 'Holds up',
    path: 'Critical path',
    yes: 'yes',
  },
  keys: { view: 'Graph or table', critical: 'First card of the critical path' },
})
