import { type AnyOperation, features, type OperationName } from '@specboard/contract'
import { rows } from '../operations/rows.ts'
import { Scene } from './scene.ts'
import type { TestAgent, World } from './world.ts'

type Arguments = Readonly<Record<string, unknown>>

/**
 * Where a test calls every operation: the operations of the knowledge graph have a separate board, the only one that
 * enters it.
 */
export class Stage {
  readonly #world: World
  readonly #ofGraph: Scene
  readonly #ofOthers: Scene
  readonly #shared = new Map<string, Promise<Arguments>>()

  private constructor(world: World, ofGraph: Scene, ofOthers: Scene) {
    this.#world = world
    this.#ofGraph = ofGraph
    this.#ofOthers = ofOthers
  }

  /** @param world whose graph is at work */
  static async on(world: World): Promise<Stage> {
    return new Stage(world, await Scene.on(world), await Scene.outOfGraph(world))
  }

  /** A scene on another board, for one call of an operation. */
  static async newScene(world: World, operation: AnyOperation): Promise<Scene> {
    return isOfGraph(operation) ? Scene.on(world) : Scene.outOfGraph(world)
  }

  sceneOf(operation: AnyOperation): Scene {
    return isOfGraph(operation) ? this.#ofGraph : this.#ofOthers
  }

  /** Lets an agent onto the board of an operation, or onto both. */
  async admit(agent: TestAgent, operation?: AnyOperation): Promise<void> {
    const scenes = operation === undefined ? [this.#ofGraph, this.#ofOthers] : [this.sceneOf(operation)]
    for (const scene of scenes) await scene.admit(agent)
  }

  /** Arguments of a call that succeeds, on records made for it. */
  async argumentsOf(operation: AnyOperation, caller = this.#world.owner): Promise<Arguments> {
    return rows[nameOf(operation)].args(this.sceneOf(operation), caller)
  }

  /** The same, made once for all calls that are refused, and so leave the records as they are. */
  refusedArgumentsOf(operation: AnyOperation, caller = this.#world.owner): Promise<Arguments> {
    // A row that takes a caller makes records of the caller's own.
    const takesCaller = rows[nameOf(operation)].args.length > 1
    const key = takesCaller ? `${operation.name} by ${caller.id}` : operation.name
    const args = this.#shared.get(key) ?? this.argumentsOf(operation, caller)
    this.#shared.set(key, args)
    return args
  }
}

const nameOf = (operation: AnyOperation) => operation.name as OperationName

/** An entry of the queue that is to be tried again waits outside the graph. */
const isOfGraph = ({ name }: AnyOperation) => name in features['knowledge-graph'] && name !== 'retry_kg_pending'
