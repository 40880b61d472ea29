"""The contract between the core and its guests for `lint-imports`: one rule for every package beside the core."""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.application import contract_utils


class PluginContract(Contract):
    """Guests import no closed room of the core and no other guest, and the core imports no guest.

    A guest is every root package but the core. Only direct imports count: a public door may lead anywhere.
    """

    type_name = "plugins"

    core = fields.StringField()
    closed = fields.SetField(subfield=fields.StringField())
    ignore_imports = fields.SetField(subfield=fields.ImportExpressionField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        contract_utils.remove_ignored_imports_and_report(
            graph=graph, ignore_imports=self.ignore_imports, unmatched_alerting=contract_utils.AlertLevel.ERROR
        )
        core = str(self.core)
        guests = {package for package in self.session_options["root_packages"] if package != core}
        closed = tuple(f"{core}.{room}." for room in self.closed)
        broken = []
        for importer in sorted(graph.modules):
            home = importer.partition(".")[0]
            if home != core and home not in guests:
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                owner = imported.partition(".")[0]
                to_another_guest = owner in guests and owner != home
                through_a_wall = home in guests and f"{imported}.".startswith(closed)
                if to_another_guest or through_a_wall:
                    broken.append((importer, imported))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} may not import {imported}")
