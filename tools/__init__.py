"""What makes files of the package. A clone has it, the package has not."""
