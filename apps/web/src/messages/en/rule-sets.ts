import { number } from '../format.ts'
import { inLanguage } from '../language.ts'

/** Separate from the other settings texts, which are part of the first load. */
export const ruleSets = inLanguage('ruleSets', {
  title: 'Rule sets',
  names: { light: 'Light', usual: 'Usual', strict: 'Strict' },
  leads: {
    light: 'agents finish what they start; nothing has to be judged or covered',
    usual: 'specs are covered, bugs have tests; nobody has to judge',
    strict: 'somebody else judges specs and cards, and a watched run proves what works',
  },
  same: 'In use',
  changes: (count: number) => (count === 1 ? '1 rule changes' : `${number(count)} rules change`),
  lead: 'These rules change at once. Each can still be changed by itself.',
  apply: 'Set these rules',
  yes: 'yes',
  no: 'no',
})
