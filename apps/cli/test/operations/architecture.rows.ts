import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const content = {
  title: 'Orders',
  global_description: 'How orders flow',
  entities: [{ id: 'api', name: 'Orders API', technologies: ['node'] }],
  interfaces: [{ name: 'Events', protocol: 'amqp', error_contract: [{ code: 'late' }] }],
  diagrams: [{ id: 'map', title: 'Map', adapter_payload: { elements: [] } }],
}

/** A new design on a new ideation, with one diagram `map` that has a payload. */
const design = async (scene: Scene): Promise<string> =>
  (await scene.world.ok('create_ideation_architecture', { ideation_id: await scene.ideation(), ...content })).id

/** A new spec with a design. */
const designedSpec = async (scene: Scene): Promise<string> => {
  const spec_id = await scene.spec()
  await scene.world.ok('create_spec_architecture', { spec_id, ...content })
  return spec_id
}

export const architecture: Rows<'architecture'> = {
  list_ideation_architecture: {
    args: async scene => {
      const ideation_id = await scene.ideation()
      await scene.world.ok('create_ideation_architecture', { ideation_id, ...content })
      return { ideation_id, limit: 5 }
    },
  },
  create_ideation_architecture: { args: async scene => ({ ideation_id: await scene.ideation(), ...content }) },
  list_refinement_architecture: { args: async scene => ({ refinement_id: await scene.refinement() }) },
  create_refinement_architecture: { args: async scene => ({ refinement_id: await scene.refinement(), ...content }) },
  list_spec_architecture: { args: async scene => ({ spec_id: await designedSpec(scene) }) },
  create_spec_architecture: { args: async scene => ({ spec_id: await scene.spec(), ...content }) },
  list_card_architecture: { args: async scene => ({ card_id: await scene.card() }) },
  create_card_architecture: { args: async scene => ({ card_id: await scene.card(), ...content }) },
  validate_architecture: { args: () => ({ title: 'Orders', entities: [{ name: ' ' }] }) },
  get_architecture: { args: async scene => ({ design_id: await design(scene), include_payloads: true }) },
  update_architecture: { args: async scene => ({ design_id: await design(scene), entities: [], interfaces: null }) },
  delete_architecture: { args: async scene => ({ design_id: await design(scene) }) },
  get_diagram_payload: { args: async scene => ({ design_id: await design(scene), diagram_id: 'map' }) },
  put_diagram_payload: {
    args: async scene => ({
      design_id: await design(scene),
      diagram_id: 'map',
      payload: 'graph TD',
      format: 'mermaid',
    }),
  },
  import_excalidraw_diagram: {
    args: async scene => ({ design_id: await design(scene), title: 'Scene', payload: { elements: [] } }),
  },
  diff_architecture: {
    args: async scene => {
      const design_id = await design(scene)
      await scene.world.ok('update_architecture', { design_id, title: 'Orders 2', entities: [], diagrams: [] })
      return { design_id, from_version: 1, to_version: 2 }
    },
  },
  copy_architecture_to_card: {
    args: async scene => ({ card_id: await scene.card(), spec_id: await designedSpec(scene) }),
  },
}
