import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import { inParallel } from '../harness/in-parallel.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { timed, times } from '../harness/statistics.ts'

/** Decisions of one spec, and the number of nodes it makes with its requirements and itself. */
const partsOfSpec = 50
const nodesOfSpec = 2 * partsOfSpec + 1

const calls = 60
const vocabulary = 4_000

/** How long both searches take on a board with a number of nodes, whose records were created through the API. */
export async function reportGraphSearch(lab: Lab, name: string, nodes: number): Promise<void> {
  const { client } = await lab.start(name, fastGraph)
  const { id: board_id } = await client.createBoard({ name: 'Search', description: '' })
  const random = randomWords()
  const specs = Array.from({ length: Math.ceil(nodes / nodesOfSpec) }, () => specOf(random))
  const bar = progress('specs', specs.length)
  await inParallel(specs, 8, async (spec, index) => {
    await client.createSpec({ board_id, title: `Spec ${index}`, ...spec })
    bar.step()
  })
  bar.end()
  await graphBuilt(client)
  const { total_nodes } = await client.getKgHealth({ board_id })
  lab.report.say(`\nsearch among ${total_nodes} nodes`)
  const topics = Array.from({ length: calls }, () => random(6))
  const measure = async (name: string, search: (topic: string) => Promise<unknown>) => {
    const first = await timed(() => search(topics[0]!))
    const took = await times(calls, round => search(topics[round]!))
    lab.report.times(name, took, { 'the first ms': first, goal: 'p50 ≤ 50' })
  }
  await measure('find_similar_kg_nodes', topic => client.findSimilarKgNodes({ board_id, topic, type: 'all' }))
  await measure('… of one type', topic => client.findSimilarKgNodes({ board_id, topic, type: 'Decision' }))
  await measure('search_kg_global', q => client.searchKgGlobal({ q }))
}

/** Requirements and decisions of one spec; each decision is linked to one of the requirements. */
const specOf = (random: (words: number) => string) => ({
  description: random(30),
  functional_requirements: Array.from({ length: partsOfSpec }, () => random(12)),
  decisions: Array.from({ length: partsOfSpec }, (_, place) => ({
    id: `d${place}`,
    title: random(12),
    rationale: random(30),
    linked_requirements: [String(place)],
  })),
})

const syllables = 'ka lo mi ren tu sa vor pel dan qui bo nes gra hul tis ze'.split(' ')

/** Texts of made-up words, a few of them frequent and most of them rare; the same in every run. */
function randomWords(): (words: number) => string {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const word = () => {
    let rest = Math.floor(vocabulary * next() ** 3)
    let text = ''
    do {
      text += syllables[rest % syllables.length]
      rest = Math.floor(rest / syllables.length)
    } while (rest > 0)
    return text
  }
  return words => Array.from({ length: words }, word).join(' ')
}
