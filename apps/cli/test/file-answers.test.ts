import { type OperationName, registry } from '@specboard/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from './operations/rows.ts'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene

beforeAll(async () => {
  world = await World.start(graphAtWork)
  scene = await Scene.on(world)
})

afterAll(() => world.stop())

const files = registry.filter(({ kind }) => kind === 'file')

/** The declared type or range that a content type falls under, the first that does. */
function declaredFor(contentType: string | null, { fileTypes }: { readonly fileTypes: readonly string[] }) {
  const type = contentType?.split(';')[0] ?? ''
  return fileTypes.find(declared => new RegExp(`^${declared.replaceAll('*', '[^/]+')}$`).test(type))
}

/** Arguments that make an operation answer in each of its ways, in addition to those of its row. */
const ways: Readonly<Record<string, readonly object[]>> = {
  export_kg_audit: [{ format: 'json' }, { format: 'csv' }],
}

/** Files whose types fall under each range that a download declares. */
const uploads = ['image/png', 'text/plain', 'application/pdf', 'video/mp4'].map(
  type => new File(['bytes'], 'file', { type }),
)

describe.each(files.map(operation => [operation.name, operation] as const))('%s', (name, operation) => {
  test('answers the types that it declares, each of them', async () => {
    const calls =
      name === 'download_attachment'
        ? await Promise.all(uploads.map(file => scene.attachment(undefined, file)))
        : await Promise.all(
            (ways[name] ?? [{}]).map(async way => ({
              ...(await rows[name as OperationName].args(scene, world.owner)),
              ...way,
            })),
          )
    const answers = await Promise.all(calls.map(args => world.call(name as OperationName, args)))
    expect(answers.map(({ status }) => status)).toStrictEqual(answers.map(() => 200))
    const types = answers.map(({ headers }) => declaredFor(headers.get('content-type'), operation))
    expect(types.toSorted()).toStrictEqual([...operation.fileTypes].toSorted())
  })
})

test('only files declare types of files', () => {
  expect(registry.filter(({ fileTypes }) => fileTypes.length > 0)).toStrictEqual(files)
})
