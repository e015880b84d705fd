import { fixed, number, signed } from '../format.ts'
import { inLanguage } from '../language.ts'

const ofCards = (done: number, scope: number): string =>
  `${number(done)} of ${scope === 1 ? '1 card' : `${number(scope)} cards`} done`

export const analytics = inLanguage('analytics', {
  more: (count: number) => `Show ${number(count)} more`,
  title: 'Analytics',
  from: 'From',
  to: 'To',
  csv: 'Download as CSV',
  asTable: 'Show as a table',
  asChart: 'Show as a chart',
  stage: 'Stage',
  count: 'Count',
  hours: 'Hours',
  none: 'Nothing to show yet',
  noneLead: 'Figures appear with the first cards that are worked on.',
  funnel: 'From idea to done',
  stages: {
    ideations: 'Ideations',
    refinements: 'Refinements',
    specs: 'Specs',
    sprints: 'Sprints',
    cards: 'Cards',
    done: 'Cards done',
  },
  stats: {
    done: 'Done',
    shown: 'in the time shown',
    open: 'Open',
    of: (total: number) => `of ${number(total)}`,
    cycle: 'on average',
    firstPass: 'First time right',
    judged: (count: number) => (count === 1 ? 'of 1 card judged' : `of ${number(count)} cards judged`),
    bugs: 'Open bugs',
  },
  unfinished: 'Not over yet',
  ageing: {
    title: 'Ageing work',
    lead: 'days in the present column, a mark a card',
    card: 'Card',
    since: 'In this column',
    hint: 'Each mark leads to its card.',
    mark: (ref: string, title: string, time: string) => `${ref} ${title}: ${time}`,
  },
  save: (title: string) => `Save: ${title}`,
  savePng: 'Save as picture (PNG)',
  saveSvg: 'Save as drawing (SVG)',
  saveCsv: 'Save as CSV',
  units: {
    minutes: (value: string) => `${value} min`,
    hours: (value: string) => `${value} h`,
    days: (value: string) => `${value} d`,
  },
  flow: { title: 'Cumulative flow', lead: 'cards by status at the end of each day', day: 'Until' },
  cycleTimes: {
    title: 'Time per card',
    lead: (shown: number, all: number) =>
      shown < all
        ? `the latest ${number(shown)} of ${number(all)} cards, from creation to done`
        : 'from creation to done, a dot a card',
    within: (share: number, time: string) => `${share} % within ${time}`,
  },
  burnUp: {
    title: 'Burn-up',
    of: 'Burn-up of',
    board: 'Whole board',
    scope: 'All cards',
    done: 'Done',
    pace: 'Even pace',
    lead: (done: number, scope: number) => ofCards(done, scope),
    at: (day: string, done: number, scope: number) => `${day}: ${ofCards(done, scope)}`,
  },
  compared: {
    title: (days: number) => `${number(days)} days and the ${number(days)} before`,
    figure: 'Figure',
    now: 'Now',
    before: 'Before',
    change: 'Change',
    percent: (value: number) => `${signed(value)} %`,
    points: (value: number) => `${signed(value)} points`,
    rows: {
      done: 'Cards done',
      p50: 'Half done within',
      p85: '85 % done within',
      first: 'First time right',
      refused: 'Validations refused',
      made: 'Cards created',
      bugs: 'Bugs created',
    },
  },
  velocity: 'Throughput',
  velocityLead: (done: number, trend: string | undefined) =>
    `${number(done)} ${done === 1 ? 'card' : 'cards'} completed${trend === undefined ? '' : `; ${trend}`}`,
  trends: { up: 'rising', down: 'falling', stable: 'steady' },
  week: 'Week',
  proof: {
    title: 'Done, by who proved it',
    lead: (confirmed: string, watched: string) =>
      `${confirmed} by CI or a person, ${watched} by a run that was watched`,
    done: 'Cards done',
    tiers: { ci: 'CI', person: 'A person', observed: 'A watched run', claimed: 'A word', none: 'Nothing' },
  },
  kinds: { impl: 'Cards', test: 'Tests', bug: 'Bugs' },
  cycle: 'Time from beginning to end',
  phases: { ideation: 'Ideation', refinement: 'Refinement', spec: 'Spec', sprint: 'Sprint', card: 'Card' },
  duration(hours: number): string {
    const minutes = Math.round(hours * 60)
    if (minutes < 1) return '< 1 min'
    if (minutes < 60) return `${minutes} min`
    return hours < 48 ? `${fixed(hours, 1)} h` : `${fixed(hours / 24, 1)} d`
  },
  coverage: 'Coverage',
  spec: 'Spec',
  criteria: 'Criteria',
  requirements: 'Requirements',
  scenarios: 'Scenarios',
  noCriteria: 'None',
  percent: (value: number) => `${Math.round(value)} %`,
  agents: 'Agents',
  agent: 'Agent',
  worked: 'Worked on',
  done: 'Done',
  firstPass: 'First pass',
  rework: 'Rework',
  cycleHours: 'Time per card',
  blockers: 'What is holding work up',
  noBlockers: 'Nothing.',
  blockerKinds: {
    dependency_blocked: 'Waiting for others',
    on_hold: 'On hold',
    stale: 'Not touched for a long time',
    spec_pending_validation: 'Spec to be validated',
    spec_no_cards: 'Spec without cards',
    uncovered_scenario: 'Scenario without a card',
  },
  waitsFor: (titles: string) => `Waits for ${titles}`,
  unchanged: (time: string) => `Unchanged for ${time}`,
})
