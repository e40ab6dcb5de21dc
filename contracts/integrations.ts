/** Integrations in operations: listing them, making one for the Facebook conversion API, and removing one. */
import { operation, type Operation } from '../src/contract/operation.js'

export const integrations = operation(/* GraphQL */ `
  query Integrations {
    account {
      id
      integrations {
        id
        label
        platform
        details
      }
    }
  }
`)

export const integration = operation(/* GraphQL */ `
  query Integration($id: ID!) {
    node(id: $id) {
      id
      ... on Integration {
        label
        platform
        details
      }
    }
  }
`)

export const createConversionApiFacebookIntegration = operation(/* GraphQL */ `
  mutation CreateConversionApiFacebookIntegration($node: FacebookConversionApi!) {
    createConversionApiFacebookIntegration(node: $node) {
      id
    }
  }
`)

export const removeIntegration = operation(/* GraphQL */ `
  mutation RemoveIntegration($id: ID!) {
    removeIntegration(id: $id) {
      id
      integrations {
        id
      }
    }
  }
`)

export const integrationOperations: readonly Operation[] = [
  integrations,
  integration,
  createConversionApiFacebookIntegration,
  removeIntegration,
]

/** An input of createConversionApiFacebookIntegration, of documented fields alone. The token opens nothing. */
export const exampleIntegration = {
  token: 'example-token-that-opens-nothing',
  label: 'Conversions of the outlet',
  pixels: ['204918830417755'],
}
