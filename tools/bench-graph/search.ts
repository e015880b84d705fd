import { type Client, createClient } from '@specboard/client'
import { p50, percentile } from '../bench/percentiles.ts'
import { startProduct } from '../bench/processes.ts'
import { graphBuilt, hastyGraph } from '../graph-built.ts'
import { inParallel } from '../in-parallel.ts'
import { progress } from '../progress.ts'

/** Decisions of one spec, and the number of nodes it makes with its requirements and itself. */
const partsOfSpec = 50
const nodesOfSpec = 2 * partsOfSpec + 1

const calls = 60
const wordsOfText = 12
const vocabulary = 4_000

/** p50 of both searches on a board with the given number of nodes, whose records were created through the API. */
export async function reportSearch(folder: string, nodes: number): Promise<void> {
  const server = await startProduct(folder, hastyGraph)
  const client = createClient({ url: server.url, key: server.key! })
  const { id: board_id } = await client.createBoard({ name: 'Search', description: '' })
  const random = randomWords()
  const specs = Array.from({ length: Math.ceil(nodes / nodesOfSpec) }, (_, index) => ({ index, ...specOf(random) }))
  const bar = progress('specs', specs.length)
  await inParallel(specs, 8, async ({ index, ...spec }) => {
    await client.createSpec({ board_id, title: `Spec ${index}`, ...spec })
    bar.step()
  })
  bar.end()
  await graphBuilt(client)
  const { total_nodes } = await client.getKgHealth({ board_id })
  const topics = Array.from({ length: calls }, () => random(6))
  console.log(`\nsearch among ${total_nodes} nodes (goal p50 ≤ 50 ms)`)
  await time('find_similar_kg_nodes', topics, topic => client.findSimilarKgNodes({ board_id, topic, type: 'all' }))
  await time('… of one type', topics, topic => client.findSimilarKgNodes({ board_id, topic, type: 'Decision' }))
  await time('search_kg_global', topics, q => client.searchKgGlobal({ q }))
  await server.stop()
}

async function time(
  name: string,
  topics: readonly string[],
  search: (topic: string) => ReturnType<Client['findSimilarKgNodes'] | Client['searchKgGlobal']>,
): Promise<void> {
  const started = performance.now()
  await search(topics[0]!)
  const first = performance.now() - started
  const times: number[] = []
  for (const topic of topics) {
    const asked = performance.now()
    await search(topic)
    times.push(performance.now() - asked)
  }
  console.log(
    `${name.padEnd(22)} p50 ${p50(times).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms, the first ${first.toFixed(0)} ms`,
  )
}

/** Requirements and decisions of one spec; each decision is linked to one of the requirements. */
const specOf = (random: (words: number) => string) => ({
  description: random(30),
  functional_requirements: Array.from({ length: partsOfSpec }, () => random(wordsOfText)),
  decisions: Array.from({ length: partsOfSpec }, (_, place) => ({
    id: `d${place}`,
    title: random(wordsOfText),
    rationale: random(30),
    linked_requirements: [String(place)],
  })),
})

/** Texts of made-up words, a few of them frequent and most of them rare, the same in every run. */
function randomWords(): (words: number) => string {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const syllables = [
    'ka',
    'lo',
    'mi',
    'ren',
    'tu',
    'sa',
    'vor',
    'pel',
    'dan',
    'qui',
    'bo',
    'nes',
    'gra',
    'hul',
    'tis',
    'ze',
  ]
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
